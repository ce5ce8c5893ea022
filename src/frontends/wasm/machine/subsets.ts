/** Ways to choose some of a number of things, numbered from 0 in lexicographic order. */

/** How many ways there are to choose `wanted` of `count`; 1 when that is all of them, or none. */
export function countSubsets(count: number, wanted: number): number {
  let ways = 1
  const chosen = Math.min(wanted, count - wanted)
  for (let i = 1; i <= chosen; i++) ways = (ways * (count - chosen + i)) / i
  return ways
}

/** The places, ascending, that way number `index` chooses. */
export function subset(count: number, wanted: number, index: number): number[] {
  const places: number[] = []
  let left = Math.min(wanted, count)
  let rest = index
  for (let place = 0; place < count && left > 0; place++) {
    const ways = countSubsets(count - place - 1, left - 1)
    if (rest < ways) {
      places.push(place)
      left--
    } else rest -= ways
  }
  return places
}
