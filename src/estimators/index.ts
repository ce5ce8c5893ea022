export type { Estimate, Estimator, Leaf } from './estimator.js'
export { Forecast, forecastOf, type Outlook } from './forecast.js'
export { type Charge, recursive } from './recursive.js'
export { weightedBacktrack } from './weighted-backtrack.js'
