/** `0.02 s`, `12 s`, `3 min 20 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `1 thread`, `3 threads`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
