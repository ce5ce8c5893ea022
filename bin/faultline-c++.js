#!/usr/bin/env node
// `faultline c++`, for build systems that take one word for a tool.
process.argv.splice(2, 0, 'c++')
require('./faultline.js')
