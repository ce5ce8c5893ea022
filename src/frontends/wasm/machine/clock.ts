/** 2000-01-01, in seconds: where every thread's clock begins. */
export const EPOCH = 946_684_800
