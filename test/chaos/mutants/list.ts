import type { Mutant } from './mutant.ts';
import { BY_TEST } from './rules/by-test.ts';
import { CHAT } from './rules/chat.ts';
import { DRAWS } from './rules/draws.ts';
import { CLOCKS } from './rules/clocks.ts';
import { HAND_STOPS } from './rules/hand-stops.ts';
import { LAG } from './rules/lag.ts';
import { LEDGER } from './rules/ledger.ts';
import { LOOKS } from './rules/looks.ts';
import { MONEY } from './rules/money.ts';
import { ORACLE } from './rules/oracle.ts';
import { OWNERSHIP } from './rules/ownership.ts';
import { PEOPLE } from './rules/people.ts';
import { PUT_BACK } from './rules/put-back.ts';
import { RENAMES } from './rules/renames.ts';
import { REPORTS } from './rules/reports.ts';
import { REQUESTS } from './rules/requests.ts';
import { REVIEW } from './rules/review.ts';
import { REWRITES } from './rules/rewrites.ts';
import { SAME_CONTENT } from './rules/same-content.ts';
import { SETTLING } from './rules/settling.ts';
import { SHOWN } from './rules/shown.ts';
import { AT_ONCE } from './rules/at-once.ts';
import { STARTS_SEEN } from './rules/starts-seen.ts';
import { TIMES } from './rules/times.ts';
import { STOPS_FIRST } from './rules/stops-first.ts';
import { UNFINISHED } from './rules/unfinished.ts';
import { WAITS } from './rules/waits.ts';

/** Every fault that the chaos run must find. */
export const MUTANTS: readonly Mutant[] = [
  ...REQUESTS,
  ...SETTLING,
  ...LEDGER,
  ...LOOKS,
  ...PEOPLE,
  ...OWNERSHIP,
  ...REWRITES,
  ...SAME_CONTENT,
  ...MONEY,
  ...CHAT,
  ...PUT_BACK,
  ...RENAMES,
  ...BY_TEST,
  ...REVIEW,
  ...SHOWN,
  ...AT_ONCE,
  ...STARTS_SEEN,
  ...TIMES,
  ...STOPS_FIRST,
  ...UNFINISHED,
  ...WAITS,
  ...HAND_STOPS,
  ...REPORTS,
  ...DRAWS,
  ...ORACLE,
  ...CLOCKS,
  ...LAG,
];
