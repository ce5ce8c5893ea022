#!/usr/bin/env node
// `faultline ar`, for build systems that take one word for a tool.
process.argv.splice(2, 0, 'ar')
require('./faultline.js')
