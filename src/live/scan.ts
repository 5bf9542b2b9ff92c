import type { Client } from '../api/client.ts';
import { IncompleteScanError, ServiceError } from '../api/errors.ts';
import type { BeforeSend, Exchange } from '../api/send-call.ts';
import { KIND_CALLS } from '../api/catalogue.ts';
import { readPages } from '../api/pages.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compareIds, type AccountId, type LiveId } from '../domain/ids.ts';
import { nameForm } from '../domain/text.ts';
import type { BroadcastReply, CampaignReply } from '../domain/replies.ts';
import { type Kind, KIND_ROWS, type Observed, type ResolvedAccount } from '../domain/resource.ts';

export interface Scope {
  readonly account: ResolvedAccount;
  readonly kind: Kind;
}

/**
 * One account's campaigns or broadcasts, archived ones included, in the order of their ids. Names are in the form in which
 * Herald compares them. Throws `ServiceError` or `IncompleteScanError`, which say which list it was. `beforeSend` is asked
 * before each page.
 */
export async function scanScope(
  client: Client,
  { account, kind }: Scope,
  beforeSend?: () => string | null,
): Promise<readonly Observed[]> {
  const what = `the ${KIND_ROWS[kind].plural} of account ${account.alias}`;
  const params = { account_id: account.accountId };
  // Nothing is ever deleted: with archived items the list only grows, so none can slip between pages.
  const input = { params, query: { include_archived: true } };
  const list: Live[] = [];
  try {
    for await (const page of readPages(client, KIND_CALLS[kind].list, input, { what, beforeSend }))
      list.push(...page);
    for (const live of list) requireSameAccount(what, account, live);
    const { alias, accountId } = account;
    // A literal: with its spread, each object would get a hidden class of its own in V8.
    return list
      .map((live): Observed => ({ kind, account: alias, accountId, live: inNameForm(live) }))
      .toSorted((left, right) => compareIds(left.live.id, right.live.id));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problem } = error;
    const look = `To see the account and its platform: ${formatCommand('accounts', 'get', account.alias)}`;
    const isOther = problem.code === 'API_KEY_PERMISSION_DENIED';
    const without = `To plan without them: ${formatCommand('plan', '--target', `*/${kind === 'campaign' ? 'broadcast' : 'campaign'}`)}`;
    const hint = isOther ? `${problem.hint ?? ''} ${without}`.trim() : (problem.hint ?? look);
    throw new ServiceError(
      { ...problem, what: `${what} cannot be read: ${problem.what}`, hint },
      { cause: error },
    );
  }
}

function inNameForm<One extends Live>(live: One): One {
  if (live.name === null || live.name === undefined) return live;
  const name = nameForm(live.name);
  return name === live.name ? live : { ...live, name };
}

function requireSameAccount(what: string, account: ResolvedAccount, live: Live): void {
  const owner = live.account_id ?? account.accountId;
  if (owner === account.accountId) return;
  throw new IncompleteScanError(
    `${what}: the list holds ${live.id}, which belongs to account ${owner} and not to ${account.accountId}`,
  );
}

export type Live = CampaignReply | BroadcastReply;

export function readById(
  client: Client,
  {
    accountId,
    kind,
    liveId,
  }: { readonly accountId: AccountId; readonly kind: Kind; readonly liveId: LiveId },
  beforeSend?: BeforeSend,
): Promise<Exchange<Live>> {
  const params = { account_id: accountId, campaign_id: liveId };
  return client.prepare(KIND_CALLS[kind].get, { params })(beforeSend);
}

/** Gets an answer if none has told the service's time, by which hours are judged. Throws `ServiceError`. */
export async function ensureServiceClockKnown(client: Client): Promise<void> {
  if (client.skewRange() !== null) return;
  const answer = await client.prepare('accounts.list', { params: {}, query: { limit: 1 } })();
  const isAnswered = answer.kind === 'done' || answer.problem.status !== null;
  if (!isAnswered) throw new ServiceError(answer.problem);
}
