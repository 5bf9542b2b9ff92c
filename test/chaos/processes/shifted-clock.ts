/**
 * A program for `node --require` that sets the wall clock of a process wrong by `CHAOS_CLOCK_SEC`. The monotonic clock
 * and the timers stay right, as on a machine with a wrong date.
 */
export const SHIFT_CLOCK = `
const shiftMs = Number(process.env.CHAOS_CLOCK_SEC) * 1000;
const RealDate = Date;
globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
`;
