import { contentDigest } from '../domain/media.ts';
import { hiddenDigest } from '../domain/hidden.ts';
import { NOT_SENT } from '../domain/knowledge.ts';
import type { BroadcastReply, CampaignReply } from '../domain/replies.ts';
import type { Declared, Kind, Observed } from '../domain/resource.ts';
import { sentMedia } from '../ledger/media-on-record.ts';
import { rememberCreated } from '../requests/created.ts';
import type { StepContext } from './step-context.ts';

/** What a create has made, as a list would show it. */
const MADE: Readonly<
  Record<
    Kind,
    (of: Pick<Observed, 'account' | 'accountId'>, live: CampaignReply | BroadcastReply) => Observed
  >
> = {
  campaign: (of, live) => ({ kind: 'campaign', ...of, live }),
  broadcast: (of, live) => ({ kind: 'broadcast', ...of, live }),
};

/**
 * Records where the answer to a create differs from what was sent. No one else knew of the object by then, so the
 * service made the change, and it is not drift. A later difference may be a person's edit, so it is not recorded.
 * `filled` is the declared content with the media ids of its files. Returns a note; null if nothing differs.
 */
export async function learnRewrites(
  { account, change, declared, ledger, rewritesIn }: StepContext & { readonly declared: Declared },
  filled: Declared,
  reply: CampaignReply | BroadcastReply,
): Promise<string | null> {
  const { alias, accountId } = account;
  const made = MADE[declared.kind]({ account: alias, accountId }, reply);
  const rewrites = rewritesIn(declared, made, {
    contentDigest: contentDigest(declared.content),
    hiddenDigest: hiddenDigest(declared.content.audience_filters),
    listIds: rememberCreated(reply).list_ids ?? null,
    media: sentMedia({ wanted: { content: filled.content, scheduled_at: null } }),
    rewrites: [],
  });
  if (rewrites.length === 0) return null;
  const { kind, name } = change.address;
  const about = { account: alias, account_id: accountId, kind, name, live_id: reply.id };
  await ledger.rewritten({ ...about, rewrites: [...rewrites] });
  const paths = rewrites.filter(({ sent }) => sent !== NOT_SENT).map(({ path }) => path);
  return paths.length === 0
    ? null
    : `the service changed ${paths.join(', ')} while creating it; Herald accepts that from now on`;
}
