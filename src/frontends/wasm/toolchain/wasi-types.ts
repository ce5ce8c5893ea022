import type { SystemCall } from '../provided-calls.js'
import { TYPE } from '../rewrite/instructions.js'
import type { FunctionType } from '../rewrite/module.js'

/** Parameters of the functions of WASI preview 1, `i` for i32 and `l` for i64; all return an i32 unless said. */
const parameters: Record<SystemCall, string> = {
  args_get: 'ii',
  args_sizes_get: 'ii',
  environ_get: 'ii',
  environ_sizes_get: 'ii',
  clock_res_get: 'ii',
  clock_time_get: 'ili',
  fd_close: 'i',
  fd_fdstat_get: 'ii',
  fd_fdstat_set_flags: 'ii',
  fd_prestat_dir_name: 'iii',
  fd_prestat_get: 'ii',
  fd_read: 'iiii',
  fd_seek: 'ilii',
  fd_write: 'iiii',
  fd_advise: 'illi',
  fd_allocate: 'ill',
  fd_datasync: 'i',
  fd_filestat_get: 'ii',
  fd_filestat_set_size: 'il',
  fd_filestat_set_times: 'illi',
  fd_pread: 'iiili',
  fd_pwrite: 'iiili',
  fd_readdir: 'iiili',
  fd_renumber: 'ii',
  fd_sync: 'i',
  fd_tell: 'ii',
  path_create_directory: 'iii',
  path_filestat_get: 'iiiii',
  path_filestat_set_times: 'iiiilli',
  path_link: 'iiiiiii',
  path_open: 'iiiiillii',
  path_readlink: 'iiiiii',
  path_remove_directory: 'iii',
  path_rename: 'iiiiii',
  path_symlink: 'iiiii',
  path_unlink_file: 'iii',
  random_get: 'ii',
  poll_oneoff: 'iiii',
  proc_exit: 'i',
  sched_yield: '',
}

/** Whether a module imports a function with the type that the host gives it; a wrong one would be called wrongly. */
export function hasRightType(module: string, name: string, type: FunctionType): boolean {
  const expected = module === 'wasi' ? 'i' : parameters[name as SystemCall]
  const results = name === 'proc_exit' ? [] : [TYPE.i32]
  const types = [...expected].map((letter) => (letter === 'l' ? TYPE.i64 : TYPE.i32))
  return String([...type.parameters]) === String(types) && String([...type.results]) === String(results)
}
