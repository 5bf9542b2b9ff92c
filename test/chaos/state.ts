import type { Simulator } from '../../src/simulator/simulator.ts';
import type { Scene } from '../helpers/scene.ts';
import { isRunning, sameContent, type Author, type Declared } from './declare.ts';
import type { Past } from './judge-sent.ts';
import type { Line } from './line.ts';
import type { Scenario } from './scenario.ts';

/** Everything that one scenario has and learns. */
export interface Chaos {
  /** The first operator's. */
  readonly scene: Scene;
  /** A workspace and a ledger each. */
  readonly operators: readonly Scene[];
  readonly simulator: Simulator;
  readonly line: Line;
  readonly scenario: Scenario;
  readonly author: Author;
  readonly past: Past & { ledgerWasLost: boolean; mediaIsUntold: boolean };
  readonly stretches: Stretches;
  /** Names of which two may run for a moment, because somebody wants it so. */
  readonly overlapping: Set<string>;
  /** Resources that a person has changed while these runs were under way. */
  readonly meddled: Set<string>;
  readonly hits: Map<string, number>;
  readonly ends: Map<string, number>;
  readonly falseReports: string[];
  readonly trespasses: string[];
  applies: number;
  /** How many fans have come between two runs. */
  fans: number;
  /** Hears what happens, for whoever replays a seed. */
  readonly tell: (line: string) => void;
}

interface Stretch {
  readonly number: number;
  readonly declared: Declared;
}

/** How long one content of a resource was declared running without a break: within that it is created once. */
export class Stretches {
  /** What held from a request's number on. */
  readonly #steps: { readonly from: number; readonly of: ReadonlyMap<string, Stretch> }[] = [];
  readonly #touched = new Set<string>();

  /** Somebody else stopped it: to bring it back may take another object. */
  touch(accountId: string, kind: string, name: string): void {
    this.#touched.add(stretchKey(accountId, kind, name));
  }

  begin(from: number, declared: readonly Declared[]): void {
    const before = this.#steps.at(-1)?.of ?? new Map<string, Stretch>();
    const of = new Map(
      declared.map((one) => {
        const key = stretchKey(one.accountId, one.kind, one.name);
        const known = before.get(key);
        const goesOn =
          known !== undefined &&
          isRunning(known.declared.target) &&
          sameContent(known.declared.content, one.content) &&
          !this.#touched.has(key);
        return [key, { number: goesOn ? known.number : from, declared: one }] as const;
      }),
    );
    this.#touched.clear();
    this.#steps.push({ from, of });
  }

  of(request: number, accountId: string, kind: string, name: string): number {
    const step = this.#steps.findLast(({ from }) => from <= request);
    return step?.of.get(stretchKey(accountId, kind, name))?.number ?? 0;
  }
}

function stretchKey(accountId: string, kind: string, name: string): string {
  return `${accountId}/${kind}/${name}`;
}

export function count(chaos: Chaos, name: string, times: number, end: string): void {
  if (times <= 0) return;
  chaos.hits.set(name, (chaos.hits.get(name) ?? 0) + times);
  const key = `${name} → ${end}`;
  chaos.ends.set(key, (chaos.ends.get(key) ?? 0) + times);
}
