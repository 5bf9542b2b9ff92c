import type { Declaration } from '../declared.ts';
import { isDisturbed, who } from '../judge/history.ts';
import { judge, type Violation } from '../judge/invariants.ts';
import { resolves, told } from '../judge/starts.ts';
import { differencesOf } from '../judge/words.ts';
import { addressOf, outcomesIn } from '../trace.ts';
import type { CiTrace, Job } from './play.ts';

/** The promise as for every run, and what holds for the jobs of a CI alone. */
export function judgeCi(trace: CiTrace): readonly Violation[] {
  const words = trace.jobs.flatMap((job) => [...leavesTheTip(trace, job), ...leavesOut(trace, job)]);
  const busy = trace.isQuiet ? [] : ['in the fourth round, a job still sends something'];
  return [
    ...judge(trace),
    ...[...words, ...busy].map((one) => ({ invariant: 'jobs of the CI', words: one })),
  ];
}

/** A job of an older push changes only what the tip declares as its own commit does. */
function leavesTheTip(trace: CiTrace, { process, commit, tip }: Job): readonly string[] {
  return trace.requests.flatMap((sent) => {
    if (sent.process !== process.number || sent.wants === null || resolves(trace, sent)) return [];
    const [own, now] = [commit.declares, tip].map((all) => declaredAt(all, sent.name, sent.alias));
    return own === now ? [] : [`${told(trace, sent)}, and the tip declares it otherwise`];
  });
}

/** What a push changes and the tip still declares so is live after its job, or the job says by name that it is not. */
function leavesOut(trace: CiTrace, { process, before, commit, tip }: Job): readonly string[] {
  const outcomes = outcomesIn(process);
  if ((process.end !== 0 && outcomes.length === 0) || isDisturbed(trace, process)) return [];
  const undone = outcomes
    .filter(({ outcome }) => !['applied', 'adopted', 'unchanged'].includes(outcome))
    .map(({ address: { account: alias, ...rest } }) => `${addressOf({ alias, ...rest })} is`);
  const isOwn = (slot: string, alias: string) => {
    const own = declaredAt(commit.declares, slot, alias);
    return own !== declaredAt(before.declares, slot, alias) && own === declaredAt(tip, slot, alias);
  };
  const declared = [...commit.declares.values()].map((one) => {
    return { ...one, accounts: one.accounts.filter((alias) => isOwn(one.slot, alias)) };
  });
  return differencesOf(trace, { declared, live: process.live }, process.endedMs ?? 0)
    .filter((words) => !undone.some((start) => words.startsWith(start)))
    .map((words) => `${who(process)} of ${commit.id} does not say that ${words}`);
}

/** How a resource is declared on an account; empty if it is not. Each of its names begins with that of its slot. */
function declaredAt(files: Declaration, name: string, alias: string | null): string {
  const one = [...files.values()].find(({ slot }) => slot === name.split(' ')[0]);
  return one?.accounts.some((each) => each === alias) === true
    ? JSON.stringify({ ...one, accounts: [] })
    : '';
}
