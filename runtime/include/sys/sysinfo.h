/* How many processors there are: as many as std::thread says. */
#ifndef FAULTLINE_SYSINFO_H
#define FAULTLINE_SYSINFO_H

#ifdef __cplusplus
extern "C" {
#endif
int get_nprocs(void);
int get_nprocs_conf(void);
#ifdef __cplusplus
}
#endif

#endif
