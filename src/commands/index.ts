import type { ListName } from '../api/lists.ts';
import type { CommandIndex } from '../cli/program.ts';
import { runProgram } from '../cli/run-program.ts';
import { readSurroundings } from '../cli/context.ts';
import type { Kind } from '../domain/resource.ts';
import type { Host } from '../host/host.ts';
import type { ByHandPath } from './by-hand.ts';

type Entry = Omit<CommandIndex['commands'][number], 'heading'>;

/** The commands that are made from the rows of their endpoints. */
const list = (path: ListName): Entry => ({
  path,
  load: async () => (await import('./lists.ts')).defineList(path),
});
const get = (kind: Kind): Entry => ({
  path: `${kind}s get`,
  load: async () => (await import('./get.ts')).defineGet(kind),
});

/** `alias` is the service's word for a recall, which was the name of the command once. The help leaves it out. */
const byHand = (path: ByHandPath, alias?: string): Entry => ({
  path: alias ?? path,
  load: async () => {
    const row = (await import('./by-hand.ts')).defineByHand(path);
    return alias === undefined ? row : { ...row, path: alias, hidden: true };
  },
});

const groups = {
  ci: 'plan pull requests, apply what was reviewed, and watch for drift, in CI',
  accounts: 'the accounts that the key sees',
  traffic: 'subscriptions, links and the fans that they brought',
  revenue: 'transactions and chargebacks',
  team: "the organisation's members and their figures",
  fans: 'fans of an account',
  chat: 'chats of an account',
  payouts: 'balances and payout requests',
  vault: "an account's media library",
  campaigns: 'list and change single campaigns',
  broadcasts: 'list and change single broadcasts',
  events: 'receive the events of the service, and use them',
  policy: 'check the policy rules of the workspace',
  state: 'the record of what Herald did and knows',
};

/** Each command under its heading in the help, in that order. */
const headings: Readonly<Record<string, readonly Entry[]>> = {
  'Get started': [
    { path: 'init', load: async () => (await import('./init.ts')).init },
    { path: 'validate', load: async () => (await import('./validate.ts')).validate },
    { path: 'simulate', load: async () => (await import('./simulate.ts')).simulate },
    { path: 'trust', load: async () => (await import('./trust.ts')).trust },
    { path: 'import', load: async () => (await import('./import.ts')).importCommand },
  ],
  Change: [
    { path: 'preview', load: async () => (await import('./preview.ts')).preview },
    { path: 'plan', load: async () => (await import('./plan.ts')).plan },
    { path: 'plan show', load: async () => (await import('./plan/show.ts')).show },
    { path: 'apply', load: async () => (await import('./apply.ts')).apply },
    { path: 'drift', load: async () => (await import('./drift.ts')).drift },
    { path: 'ci init', load: async () => (await import('./ci/init.ts')).init },
    { path: 'ci plan', load: async () => (await import('./ci/plan.ts')).plan },
    { path: 'ci apply', load: async () => (await import('./ci/apply.ts')).apply },
    { path: 'ci drift', load: async () => (await import('./ci/drift.ts')).drift },
    list('campaigns list'),
    get('campaign'),
    list('broadcasts list'),
    get('broadcast'),
    { path: 'policy test', load: async () => (await import('./policy/test.ts')).test },
    byHand('campaigns activate'),
    byHand('campaigns pause'),
    byHand('campaigns archive'),
    byHand('campaigns recall'),
    byHand('campaigns recall', 'campaigns unsend'),
    { path: 'broadcasts send', load: async () => (await import('./broadcasts/send.ts')).send },
    byHand('broadcasts pause'),
    byHand('broadcasts resume'),
    byHand('broadcasts recall'),
    byHand('broadcasts recall', 'broadcasts unsend'),
  ],
  'Accounts, team and media': [
    list('accounts list'),
    { path: 'accounts get', load: async () => (await import('./accounts/get.ts')).get },
    list('team metrics'),
    list('team members'),
    list('vault folders'),
    list('vault media'),
    list('vault uploads'),
    { path: 'vault find', load: async () => (await import('./vault/find.ts')).find },
    { path: 'vault upload', load: async () => (await import('./vault/upload.ts')).upload },
    { path: 'vault retry', load: async () => (await import('./vault/retry.ts')).retry },
    { path: 'vault verify-fan', load: async () => (await import('./vault/verify-fan.ts')).verify },
    { path: 'vault thumbnail', load: async () => (await import('./vault/thumbnail.ts')).thumbnail },
  ],
  'Fans, chat and money': [
    list('traffic subscriptions'),
    list('traffic tracking-links'),
    list('traffic tracking-link-users'),
    list('traffic trial-links'),
    list('traffic trial-link-users'),
    list('revenue transactions'),
    list('revenue chargebacks'),
    { path: 'revenue summary', load: async () => (await import('./revenue/summary.ts')).summary },
    list('fans list'),
    { path: 'chat inbox', load: async () => (await import('./chat/inbox.ts')).inbox },
    list('chat messages'),
    list('payouts balances'),
    list('payouts list'),
    { path: 'fans label', load: async () => (await import('./fans/label.ts')).label },
    { path: 'fans follow', load: async () => (await import('./fans/follow.ts')).follow },
    { path: 'chat send', load: async () => (await import('./chat/send.ts')).send },
    { path: 'payouts request', load: async () => (await import('./payouts/request.ts')).request },
  ],
  'Look back': [
    { path: 'history', load: async () => (await import('./history.ts')).history },
    { path: 'history diff', load: async () => (await import('./history/diff.ts')).diff },
    { path: 'history show', load: async () => (await import('./history/show.ts')).show },
    { path: 'state show', load: async () => (await import('./state/show.ts')).show },
    { path: 'state check', load: async () => (await import('./state/check.ts')).check },
    { path: 'state close', load: async () => (await import('./state/close.ts')).close },
    { path: 'state forget', load: async () => (await import('./state/forget.ts')).forget },
    { path: 'state prune', load: async () => (await import('./state/prune.ts')).prune },
    { path: 'state export', load: async () => (await import('./state/export.ts')).exportState },
    { path: 'state import', load: async () => (await import('./state/import.ts')).importState },
    { path: 'state init', load: async () => (await import('./state/init.ts')).init },
    { path: 'state unlock', load: async () => (await import('./state/unlock.ts')).unlock },
    { path: 'events listen', load: async () => (await import('./events/listen.ts')).listen },
    { path: 'events list', load: async () => (await import('./events/list.ts')).list },
    { path: 'events show', load: async () => (await import('./events/show.ts')).show },
    { path: 'events reconcile', load: async () => (await import('./events/reconcile.ts')).reconcile },
    { path: 'events forget', load: async () => (await import('./events/forget.ts')).forget },
    { path: 'doctor', load: async () => (await import('./doctor.ts')).doctor },
  ],
  Tools: [
    { path: 'api', load: async () => (await import('./api.ts')).api },
    { path: 'schema', load: async () => (await import('./schema.ts')).schema },
    { path: 'completion', load: async () => (await import('./completion.ts')).completion },
    { path: 'complete', load: async () => (await import('./complete.ts')).complete },
  ],
};

export const INDEX: CommandIndex = {
  commands: Object.entries(headings).flatMap(([heading, entries]) =>
    entries.map((entry) => ({ heading, ...entry })),
  ),
  groups,
};

/** Runs one command line in this process. Everything that each command needs is loaded with this file. */
export function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  return runProgram(args, host, (flags) => readSurroundings(host, flags), INDEX);
}
