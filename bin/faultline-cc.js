#!/usr/bin/env node
// `faultline cc`, for build systems that take one word for a tool.
process.argv.splice(2, 0, 'cc')
require('./faultline.js')
