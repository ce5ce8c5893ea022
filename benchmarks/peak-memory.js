// Preloaded: tells at the end how much memory the process had at most.
process.on('exit', () => {
  console.error(`peak memory ${process.resourceUsage().maxRSS * 1024}`)
})
