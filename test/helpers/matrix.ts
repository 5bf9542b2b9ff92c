import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';

/** One column of the fault matrix (docs/service/faults.md), for the operation of its row. */
export interface Column {
  readonly title: string;
  readonly faults: readonly FaultInput[];
  /** The process is killed right after its request left. */
  readonly killed: boolean;
  /** Whether the request, as it was first sent, is carried out: at once, within the window, beyond it, never. */
  readonly commits: 'at once' | 'inside' | 'beyond' | 'never';
}

/** Every way in which the first request of an operation may fail, FAULT-1 to FAULT-8 and FAULT-10. */
export function columnsOf(operation: Operation): readonly Column[] {
  const first = { operation, nth: 1 };
  const broken = (
    title: string,
    how: 'timeout' | 'reset' | '500' | '502' | 'truncated' | 'unreadable',
    when: 'before_commit' | 'after_commit',
  ): Column => ({
    title,
    faults: [{ kind: 'broken_answer', how, when, ...first }],
    killed: false,
    commits: when === 'after_commit' ? 'at once' : 'never',
  });
  const late = (
    title: string,
    after_sec: number,
    how: 'timeout' | 'reset' | '502',
    killed = false,
  ): Column => ({
    title,
    faults: [{ kind: 'late_commit', after_sec, how, ...first }],
    killed,
    commits: after_sec > 75 ? 'beyond' : 'inside',
  });
  const heard = (title: string, fault: FaultInput): Column => ({
    title,
    faults: [fault],
    killed: false,
    commits: 'at once',
  });
  return [
    broken('FAULT-1 time-out, never commits', 'timeout', 'before_commit'),
    broken('FAULT-2 time-out, committed', 'timeout', 'after_commit'),
    late('FAULT-3 commits 1 s late', 1, 'reset'),
    late('FAULT-3 commits 20 s late', 20, '502'),
    late('FAULT-3 commits 64 s late', 64, 'reset'),
    late('FAULT-3 times out, commits 64 s late', 64, 'timeout'),
    late('FAULT-12 commits 90 s late', 90, 'reset'),
    late('FAULT-12 commits 120 s late', 120, 'reset'),
    broken('FAULT-4 500, not committed', '500', 'before_commit'),
    broken('FAULT-4 502, not committed', '502', 'before_commit'),
    broken('FAULT-5 500, committed', '500', 'after_commit'),
    broken('FAULT-5 502, committed', '502', 'after_commit'),
    heard('FAULT-6 no connection', { kind: 'connection_refused', ...first, times: 2 }),
    broken('FAULT-11 reset, not committed', 'reset', 'before_commit'),
    broken('FAULT-11 reset, committed', 'reset', 'after_commit'),
    heard('FAULT-7 429', { kind: 'throttle', ...first, times: 2 }),
    { title: 'FAULT-8 killed, committed at once', faults: [], killed: true, commits: 'at once' },
    late('FAULT-8 killed, commits 40 s late', 40, 'reset', true),
    { ...broken('FAULT-8 killed, never commits', 'reset', 'before_commit'), killed: true },
    broken('FAULT-10 success with a truncated body', 'truncated', 'after_commit'),
    broken('FAULT-10 success with a foreign body', 'unreadable', 'after_commit'),
  ];
}
