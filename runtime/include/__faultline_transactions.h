/* What immintrin.h and faultline.h ask of the machine about transactions. */
#ifndef FAULTLINE_TRANSACTIONS_H
#define FAULTLINE_TRANSACTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

#define FL_TRANSACTION(name) __attribute__((import_module("env"), import_name(#name)))

/* Begins a transaction; with persists, one that is tried until it commits, and aborts only by itself. */
FL_TRANSACTION(fl_xbegin) int fl_xbegin(int persists);
FL_TRANSACTION(fl_xend) void fl_xend(void);
FL_TRANSACTION(fl_xabort) void fl_xabort(int code);
FL_TRANSACTION(fl_xtest) int fl_xtest(void);

#ifdef __cplusplus
}
#endif

#endif
