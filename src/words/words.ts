/** `0.02 s`, `12 s`, `3 min 20 s`. */
export function formatSeconds(seconds: number): string {
  return seconds < 10 ? `${seconds.toFixed(2)} s` : formatWholeSeconds(seconds)
}

/** `9 s`, `3 min 20 s`. */
export function formatWholeSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 120) return `${whole} s`
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `12 KB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.ceil(bytes / 2 ** 10)} KB`
  return bytes < 10 * 2 ** 20 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${Math.round(bytes / 2 ** 20)} MB`
}

/** Time that is estimated: `40 s`, `12 min`, `5 h`, `3 days`, `more than a year`. */
export function roughTime(seconds: number): string {
  if (seconds < 1.5) return '1 s'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`
  const days = Math.round(seconds / 86_400)
  return days <= 365 ? `${days} days` : 'more than a year'
}

/** A share that is estimated: `12 %`; `less than 1 %`; never 100 %, since only the end itself is certain. */
export function roughShare(share: number): string {
  const percent = Math.floor(share * 100)
  return percent < 1 ? 'less than 1 %' : `${Math.min(99, percent)} %`
}

/** A number that is estimated, to two digits: `1 200 000`. */
export function roughNumber(n: number): string {
  if (n >= 1e15) return 'more than 10^15'
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(n)) - 1)
  return grouped(Math.round(n / unit) * unit)
}

/** What is estimated, in a sentence: `about 5 min`, but `more than a year`, `less than 1 %`. */
export function about(amount: string): string {
  return /^\d/.test(amount) ? `about ${amount}` : amount
}

/** 1234567 → 1 234 567 */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ' ')
}

/** `1 thread`, `3 threads`; `2 accesses` where adding an s is not enough. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`
}

/** `a`, `a or b`, `a, b or c`. */
export function list(words: readonly string[], last = 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
