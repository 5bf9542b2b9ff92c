import { isRunning, sameContent, type Declared } from './declare.ts';

interface RunningPeriod {
  readonly number: number;
  readonly declared: Declared;
}

/** How long one content of a resource was declared running without a break: within that it is created once. */
export class RunningPeriods {
  /** What held from a request's number on. */
  readonly #steps: { readonly from: number; readonly of: ReadonlyMap<string, RunningPeriod> }[] = [];
  readonly #touched = new Set<string>();

  /** Another person changed it: to bring it back may take another object. */
  touch(accountId: string, kind: string, name: string): void {
    this.#touched.add(resourceKey(accountId, kind, name));
  }

  begin(from: number, declared: readonly Declared[]): void {
    const before = this.#steps.at(-1)?.of ?? new Map<string, RunningPeriod>();
    const of = new Map(
      declared.map((one) => {
        const key = resourceKey(one.accountId, one.kind, one.name);
        const known = before.get(key);
        const goesOn =
          known !== undefined &&
          isRunning(known.declared.target) &&
          sameContent(known.declared.content, one.content) &&
          known.declared.hourMs === one.hourMs &&
          !this.#touched.has(key);
        return [key, { number: goesOn ? known.number : from, declared: one }] as const;
      }),
    );
    this.#touched.clear();
    this.#steps.push({ from, of });
  }

  of(request: number, accountId: string, kind: string, name: string): number {
    const step = this.#steps.findLast(({ from }) => from <= request);
    return step?.of.get(resourceKey(accountId, kind, name))?.number ?? 0;
  }
}

function resourceKey(accountId: string, kind: string, name: string): string {
  return `${accountId}/${kind}/${name}`;
}
