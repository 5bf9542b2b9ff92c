/** Some accounts of a plan, in few words. The order is the plan's. */
export interface AccountList {
  readonly count: number;
  /** First and last of neighbours in the plan. Both are the same for a single account. */
  readonly runs: readonly (readonly [first: string, last: string])[];
  /** Accounts inside the runs that are not meant. */
  readonly except: readonly string[];
}

/** Up to this many accounts are named one by one. */
const NAMED_MAX = 6;

/** Neighbours are shortened from this number on. */
const RUN_MIN = 3;

/** Up to this many exceptions are named instead of the runs between them. */
const EXCEPT_MAX = 5;
/** And at most this share of the accounts. */
const EXCEPT_SHARE = 0.2;

/** The accounts `some` among `all`. Both are sorted, and `all` has those of `some`. */
export function accountList(some: readonly string[], all: readonly string[]): AccountList {
  const count = some.length;
  if (count <= NAMED_MAX) return { count, runs: some.map((name) => [name, name]), except: [] };
  const [first = '', last = ''] = [some[0], some.at(-1)];
  const wanted = new Set(some);
  const span = all.slice(all.indexOf(first), all.indexOf(last) + 1);
  const except = span.filter((name) => !wanted.has(name));
  if (except.length <= Math.min(EXCEPT_MAX, count * EXCEPT_SHARE))
    return { count, runs: [[first, last]], except };
  return { count, runs: runsOf(span, wanted), except: [] };
}

function runsOf(span: readonly string[], wanted: ReadonlySet<string>): AccountList['runs'] {
  const runs: string[][] = [];
  let isOpen = false;
  for (const name of span) {
    if (!wanted.has(name)) isOpen = false;
    else if (isOpen) runs.at(-1)?.push(name);
    else {
      runs.push([name]);
      isOpen = true;
    }
  }
  return runs.flatMap((run): AccountList['runs'] =>
    run.length < RUN_MIN ? run.map((name) => [name, name]) : [[run[0] ?? '', run.at(-1) ?? '']],
  );
}

/** The list as text, each account drawn by `draw`. */
export function listText({ runs, except }: AccountList, draw: (account: string) => string): string {
  const shown = runs.map(([first, last]) =>
    first === last ? draw(first) : `${draw(first)} … ${draw(last)}`,
  );
  return shown.join(', ') + (except.length === 0 ? '' : ` except ${except.map(draw).join(', ')}`);
}
