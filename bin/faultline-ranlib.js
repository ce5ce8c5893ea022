#!/usr/bin/env node
// `faultline ranlib`, for build systems that take one word for a tool.
process.argv.splice(2, 0, 'ranlib')
require('./faultline.js')
