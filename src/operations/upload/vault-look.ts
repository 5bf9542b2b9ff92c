import { CATALOGUE } from '../../api/catalogue.ts';
import type { Client } from '../../api/client.ts';
import type { Clock } from '../../domain/ports.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { ageFromLedger } from '../age.ts';
import { ensureAgesKnown } from '../../live/hear-clock.ts';
import type { LocalFile } from '../../api/local-file.ts';
import type { PastExport } from './past-exports.ts';

interface LookPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly ledger: Ledger;
}

/** A younger media is taken to be there: its thumbnail may be in the making. */
const YOUNG_MS = 3_600_000;

/** An answer that takes longer is the last one that is waited for. */
const SLOW_MS = 10_000;

/** Kinds that have a thumbnail. */
const HAS_THUMBNAIL = /^(image|video)\//;

/** Media with an id that is not a whole number has no thumbnail. */
const MEDIA_ID = CATALOGUE['vault.thumbnail'].params.shape.media_id;

/**
 * Whether a media in the ledger was removed from the vault. The service cannot read a single media, and its
 * lists have ten to a page, so the thumbnail is asked for, and its bytes are not read.
 * Assumed (VAULT-3): a picture or a video has its thumbnail as long as it is in the vault, and only "not found" says
 * that it is not. Where nothing certain is heard the media is taken to be there, and so is one that is aimed at a
 * single fan: no document says that the vault shows it.
 */
export class VaultLook {
  #isClear = true;

  /**
   * Asked once for each media, and not at all any more once the service gave no clear answer, or only a late one: a
   * look that may be left out must not hold up what it is for, file after file.
   */
  async isTakenOut(
    { client, clock, ledger }: LookPorts,
    { account, file }: { readonly account: ResolvedAccount; readonly file: LocalFile },
    { act, details }: PastExport,
  ): Promise<boolean> {
    if (!this.#isClear || details.purpose?.fan_id != null) return false;
    const mediaId = MEDIA_ID.safeParse(act.liveId);
    if (!mediaId.success || !HAS_THUMBNAIL.test(file.contentType)) return false;
    await ensureAgesKnown(client);
    if (ageFromLedger({ ledger }, act, act.entry) < YOUNG_MS) return false;
    const params = { account_id: account.accountId, media_id: mediaId.data };
    const beganMs = clock.monotonicMs();
    const exchange = await client.call('vault.thumbnail', { params }, (earlier) =>
      this.#isClear && earlier === null ? null : 'asked once only',
    );
    if (exchange.kind === 'done') await exchange.reply.cancel().catch(() => undefined);
    const isGone = exchange.kind === 'refused' && exchange.problem.status === 404;
    const isQuick = clock.monotonicMs() - beganMs < SLOW_MS;
    this.#isClear &&= isQuick && (exchange.kind === 'done' || isGone);
    return isGone;
  }
}
