// Small plots as SVG, without a library.
const colours = ['#4c78a8', '#f58518', '#54a24b', '#e45756', '#72b7b2', '#b279a2', '#ff9da6', '#222222']
const marked = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;')
const round = (n) => Math.round(n * 10) / 10

function page(width, height, title, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
<text x="10" y="18" font-size="13">${marked(title)}</text>
${body.join('\n')}
</svg>
`
}

function legend(series, x, y) {
  return series.flatMap((label, i) => [
    `<rect x="${x}" y="${y + 16 * i - 8}" width="9" height="9" fill="${colours[i % colours.length]}"/>`,
    `<text x="${x + 14}" y="${y + 16 * i}">${marked(label)}</text>`,
  ])
}

/** Powers of ten from one to the other, as far as they are whole. */
function decades(low, high) {
  const first = Math.floor(Math.log10(low))
  const last = Math.ceil(Math.log10(high))
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i))
}

/** A logarithmic scale from the decade below the least value to the one above the largest, as pixels. */
function logarithmic(values, from, to) {
  const marks = decades(Math.min(...values), Math.max(...values))
  const low = Math.log10(marks[0])
  const span = Math.max(1, Math.log10(marks.at(-1)) - low)
  return { marks, at: (value) => round(from + ((Math.log10(value) - low) / span) * (to - from)) }
}

/** A row of dots per label, one of each series. */
export function dots({ title, rows, series }) {
  const left = 150
  const right = 620
  const bottom = 40 + 16 * rows.length
  const { marks, at } = logarithmic(
    rows.flatMap(({ values }) => values),
    left,
    right,
  )
  const body = marks.flatMap((mark) => [
    `<line x1="${at(mark)}" x2="${at(mark)}" y1="28" y2="${bottom}" stroke="#ddd"/>`,
    `<text x="${at(mark)}" y="${bottom + 14}" text-anchor="middle">${mark}</text>`,
  ])
  rows.forEach(({ label, values }, row) => {
    const y = 40 + 16 * row
    body.push(`<text x="${left - 8}" y="${y + 4}" text-anchor="end">${marked(label)}</text>`)
    values.forEach((value, i) => {
      body.push(`<circle cx="${at(value)}" cy="${y}" r="4" fill="${colours[i % colours.length]}"/>`)
    })
  })
  return page(740, bottom + 30, title, [...body, ...legend(series, right + 30, 48)])
}

/** How many values are at most x, as a staircase per series. */
export function steps({ title, series }) {
  const [left, right, top, bottom] = [50, 560, 36, 330]
  const all = series.flatMap(({ values }) => values).map((value) => Math.max(value, 0.001))
  if (all.length === 0) return page(740, 60, title, [])
  const { marks, at } = logarithmic(all, left, right)
  const most = Math.max(...series.map(({ values }) => values.length))
  const height = (count) => round(bottom - (count / most) * (bottom - top))
  const body = marks.flatMap((mark) => [
    `<line x1="${at(mark)}" x2="${at(mark)}" y1="${top}" y2="${bottom}" stroke="#ddd"/>`,
    `<text x="${at(mark)}" y="${bottom + 14}" text-anchor="middle">${mark}</text>`,
  ])
  for (const count of [0, most])
    body.push(`<text x="${left - 8}" y="${height(count) + 4}" text-anchor="end">${count}</text>`)
  series.forEach(({ values }, i) => {
    const sorted = values.map((value) => Math.max(value, 0.001)).sort((a, b) => a - b)
    const path = sorted.map((value, n) => `H${at(value)}V${height(n + 1)}`).join('')
    const stroke = colours[i % colours.length]
    body.push(
      `<path d="M${left} ${bottom}${path}H${right}" fill="none" stroke="${stroke}" stroke-width="2"/>`,
    )
  })
  const labels = series.map(({ label }) => label)
  return page(740, bottom + 30, title, [...body, ...legend(labels, right + 20, 48)])
}

/** A thin line per list of values, in the colour of its series. */
export function lines({ title, moments, series }) {
  const [left, right, top, bottom] = [60, 560, 36, 330]
  const all = series.flatMap(({ values }) => values.flat()).map((value) => Math.max(value, 1e-4))
  const { marks, at } = logarithmic(all, bottom, top)
  const across = (percent) => round(left + (percent / 100) * (right - left))
  const body = marks.flatMap((mark) => [
    `<line x1="${left}" x2="${right}" y1="${at(mark)}" y2="${at(mark)}" stroke="${mark === 1 ? '#888' : '#ddd'}"/>`,
    `<text x="${left - 8}" y="${at(mark) + 4}" text-anchor="end">${mark}</text>`,
  ])
  for (const moment of moments)
    body.push(`<text x="${across(moment)}" y="${bottom + 14}" text-anchor="middle">${moment}</text>`)
  series.forEach(({ values }, i) => {
    for (const ratios of values) {
      const points = ratios.map((ratio, m) => `${across(moments[m])},${at(Math.max(ratio, 1e-4))}`).join(' ')
      const stroke = colours[i % colours.length]
      body.push(`<polyline points="${points}" fill="none" stroke="${stroke}" opacity="0.7"/>`)
    }
  })
  const labels = series.map(({ label }) => label)
  return page(740, bottom + 30, title, [...body, ...legend(labels, right + 20, 48)])
}
