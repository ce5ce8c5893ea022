/**
 * What the runtime and the host take over from libc. The toolchain reads these lists to link and to refuse what nobody
 * provides; the machine implements them.
 */

/** Linked with `--wrap=NAME`: a call to NAME goes to `__wrap_NAME`, in `runtime/*.c` or, if not there, in the host. */
export const wrapped: readonly string[] = [
  'pthread_create',
  'pthread_join',
  'pthread_mutex_lock',
  'pthread_mutex_unlock',
]

/** Functions the host provides as imports, by module: anything else left undefined is refused by name. */
export const provided: Readonly<Record<string, readonly string[]>> = {
  env: [
    '__wrap_pthread_create',
    '__wrap_pthread_join',
    '__wrap_pthread_mutex_lock',
    '__wrap_pthread_mutex_unlock',
  ],
  wasi_snapshot_preview1: [
    'args_get',
    'args_sizes_get',
    'environ_get',
    'environ_sizes_get',
    'clock_time_get',
    'fd_close',
    'fd_fdstat_get',
    'fd_fdstat_set_flags',
    'fd_prestat_dir_name',
    'fd_prestat_get',
    'fd_read',
    'fd_seek',
    'fd_write',
    'proc_exit',
  ],
}

/** Those of them that may suspend the calling thread, as `module.name`; the `fl.*` imports are not listed. */
export const suspending: readonly string[] = [
  'env.__wrap_pthread_create',
  'env.__wrap_pthread_join',
  'env.__wrap_pthread_mutex_lock',
  'env.__wrap_pthread_mutex_unlock',
]
