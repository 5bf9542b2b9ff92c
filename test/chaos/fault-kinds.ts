import type { Operation } from '../../src/api/catalogue.ts';
import {
  CONNECTION_ERRORS,
  CONNECTION_MOMENTS,
  type ConnectionMoment,
} from '../../src/simulator/connection-faults.ts';
import { BREAKAGES, type FaultInput } from '../../src/simulator/fault-shape.ts';
import type { Dice } from './dice.ts';

const MOMENTS = ['before_commit', 'after_commit'] as const;

export interface DrawnFault {
  /** The row of the table that it counts for. */
  readonly name: string;
  readonly fault: FaultInput;
}

export interface Row {
  readonly name: string;
  readonly draw: (dice: Dice) => FaultInput;
}

type Selection = { readonly nth: number; readonly times: number };

/** A fault of one of these operations, at its first or second call, once or twice. */
export function row(
  name: string,
  operations: readonly Operation[],
  make: (operation: Operation, selected: Selection, dice: Dice) => FaultInput,
): Row {
  return {
    name,
    draw: (dice) =>
      make(dice.pick(operations), { nth: dice.pick([1, 1, 1, 2]), times: dice.pick([1, 1, 2]) }, dice),
  };
}

/** Every way to lose an answer. */
export function lost(
  what: string,
  operations: readonly Operation[],
  isReal: (how: string, when: string) => boolean = () => true,
): Row[] {
  return MOMENTS.map((when) =>
    row(`${what}, lost ${when}`, operations, (operation, selected, dice) => ({
      kind: 'broken_answer',
      how: dice.pick(BREAKAGES.filter((how) => isReal(how, when))),
      when,
      operation,
      ...selected,
    })),
  );
}

export function late(
  name: string,
  operations: readonly Operation[],
  how: 'reset' | '502',
  [min, max]: readonly [number, number],
): Row {
  return row(name, operations, (operation, selected, dice) => ({
    kind: 'late_commit',
    how,
    after_sec: dice.int(min, max),
    operation,
    ...selected,
  }));
}

/** A connection that fails at each of its moments, in the words of each system call. */
export function connection(
  what: string,
  operations: readonly Operation[],
  moments: readonly ConnectionMoment[] = CONNECTION_MOMENTS,
): Row[] {
  return moments.map((moment) =>
    row(`${what}, connection ${moment}`, operations, (operation, selected, dice) => ({
      kind: 'connection',
      moment,
      error: dice.pick(CONNECTION_ERRORS[moment]),
      carried_out: dice.weighted<'at_once' | 'never' | number>([
        [2, 'at_once'],
        [1, 'never'],
        [2, dice.int(1, 60)],
      ]),
      operation,
      ...selected,
    })),
  );
}

/** A heard 2xx means that a status change was carried out: no service says so before it is. */
const HEARD: readonly string[] = ['truncated', 'unreadable'];
export const isCarriedOut = (how: string, when: string) => when === 'after_commit' || !HEARD.includes(how);

/** More answers in a row than one run asks for. */
export const failsForGood = (operation: Operation, { nth }: Selection): FaultInput => ({
  kind: 'broken_answer',
  how: '500',
  when: 'after_commit',
  operation,
  nth,
  times: 6,
});

export const plain =
  (kind: 'throttle' | 'empty_page' | 'repeated_page' | 'missing_has_more' | 'partial_commit') =>
  (operation: Operation, selected: Selection): FaultInput => ({ kind, operation, ...selected });

/** Answers of servers with wrong clocks, from one of the first calls of an operation on. */
export function wrongDate(operations: readonly Operation[], lastCall: number): Row[] {
  return [
    row('answer of a server with a wrong clock', operations, (operation, { times }, dice) => ({
      kind: 'wrong_date',
      skew_sec: dice.pick([90, -90, 3600, -3600, 86_400, -86_400]),
      operation,
      nth: dice.int(1, lastCall),
      times,
    })),
  ];
}
