import type { Simulator } from '../../src/simulator/simulator.ts';
import type { FlowClock } from '../helpers/flow-clock.ts';
import type { Scene } from '../helpers/scene.ts';
import type { Author } from './author.ts';
import type { Declared, Written } from './declare.ts';
import type { ServiceRoute } from './service-route.ts';
import type { Quiet } from './judge/quiet.ts';
import type { MachineClock } from './machine.ts';
import type { Run, Scenario } from './shape.ts';
import type { Story } from './story/story.ts';
import type { RunningPeriods } from './running-periods.ts';
import type { Task } from './task.ts';
import type { Violation } from './violation.ts';
import type { Write } from './writes.ts';

/** Everything that one scenario has and learns. */
export interface Chaos {
  readonly scenario: Scenario;
  readonly simulator: Simulator;
  /** The right time. */
  readonly clock: FlowClock;
  readonly line: ServiceRoute;
  readonly author: Author;
  readonly actors: readonly Actor[];
  readonly processes: Process[];
  readonly people: PersonLog;
  readonly violations: Violation[];
  /** Rows of the table by how often they struck, and `row → how the command ended`. */
  readonly hits: Map<string, number>;
  readonly ends: Map<string, number>;
  /** The workspaces do not have the first account. */
  isAway: boolean;
  /** How many fans have come. */
  fans: number;
  /** Tells what happens when a seed is replayed; null where no one listens. */
  readonly story: Story | null;
  readonly tell: (words: string) => void;
}

/** What people did on the service itself. */
interface PersonLog {
  /** Names of which two may run for a moment, because a person wants it so. */
  readonly overlapping: Set<string>;
  /** When a person last touched each resource, by `account/kind/name`. */
  readonly touchedMs: Map<string, number>;
  /** Objects of which people set a rule, and when. */
  readonly tunedMs: Map<string, number>;
  /** Objects that people made. */
  readonly made: Set<string>;
  readonly payouts: { readonly atMs: number; readonly cents: number }[];
}

/** A person with a workspace, a ledger and a machine, and what is known of them. */
export interface Actor {
  readonly place: number;
  readonly name: string;
  readonly scene: Scene;
  readonly clock: MachineClock;
  written: readonly Written[];
  declared: readonly Declared[];
  readonly runningPeriods: RunningPeriods;
  /** Objects that certainly are in this ledger as protected. */
  readonly protectedKeys: Set<string>;
  /** When the ledger was lost last. */
  ledgerLostMs: number | null;
  /** When a git pull or a merge brought the lines of the other ledgers into this one. */
  readonly pulledMs: number[];
  /** The line of its ledger that cannot be read, as it was and as it is. */
  damage: { readonly whole: string; readonly damaged: string } | null;
}

/** One process, while it runs and afterwards. */
export interface Process {
  readonly actor: Actor;
  readonly run: Run;
  readonly task: Task;
  readonly startedMs: number;
  /** How many changes the service had seen by then: a person may act at the same moment. */
  readonly startedAfter: number;
  endedMs: number | null;
  /** Killed, or still frozen when all was over. */
  dead: boolean;
  /** When its lock became another's; null while it has it. */
  lockLostMs: number | null;
  /** Until when it has to leave an endpoint alone, by what a 429 told it. */
  readonly quiet: Map<string, Quiet>;
  /** What the ledger calls it. */
  ledgerRun: string;
  /** The numbers of its requests. */
  readonly requests: Set<number>;
  readonly writes: SentWrite[];
  /** What it was about to send: one that was killed in between is in its ledger all the same. */
  readonly tried: Write[];
  /** Resources that a person changed between its saved plan and its start. */
  readonly stale: ReadonlySet<string>;
  /** Resources that a person changed while it ran. */
  readonly disturbed: Set<string>;
}

/** A write as it left a process. */
export interface SentWrite {
  readonly process: Process;
  readonly write: Write;
  /** Its number at the service. */
  readonly request: number;
  readonly sentMs: number;
  /** The machine's clock minus the right time. */
  readonly machineOffMs: number;
  answer: 'none yet' | 'never left' | 'unconfirmed' | 'throttled' | 'refused' | 'done';
}

export function count(chaos: Chaos, name: string, times: number, end: string): void {
  if (times <= 0) return;
  chaos.hits.set(name, (chaos.hits.get(name) ?? 0) + times);
  const key = `${name} → ${end}`;
  chaos.ends.set(key, (chaos.ends.get(key) ?? 0) + times);
}

/** Processes that run now. */
export function atWork({ processes }: Chaos): readonly Process[] {
  return processes.filter(({ endedMs, dead }) => endedMs === null && !dead);
}

/** All writes of one operator, oldest first. */
export function writesOf({ processes }: Chaos, actor: Actor): readonly SentWrite[] {
  return processes.filter((process) => process.actor === actor).flatMap(({ writes }) => writes);
}

/** A request that has passed its last look at the ledger may take so long to leave. */
export const LEAVES_MS = 500;

/** All writes that the ledger had when a request of its operator was about to leave: those of others come with a pull. */
export function writesKnownTo(
  chaos: Chaos,
  { process: { actor }, sentMs }: Pick<SentWrite, 'process' | 'sentMs'>,
): readonly SentWrite[] {
  const pulledMs = actor.pulledMs.findLast((ms) => ms <= sentMs - LEAVES_MS);
  const own = writesOf(chaos, actor);
  if (pulledMs === undefined) return own;
  const others = chaos.processes.filter((process) => process.actor !== actor);
  return [...own, ...others.flatMap(({ writes }) => writes).filter((write) => write.sentMs < pulledMs)];
}
