import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { OtherPlatform } from './find-account.ts';
import { UnknownTargetError } from './unknown-target.ts';

/** An account that was given by its id, and is on a platform that is not served (ACCOUNT-5). */
export class OtherPlatformError extends UnknownTargetError {
  readonly alias: string;
  constructor(alias: string, sentence: string) {
    super([sentence]);
    this.alias = alias;
  }
}

/** Statuses of a key or a rate. They say nothing about the platform. */
const NOT_ABOUT_PLATFORM: readonly (number | null)[] = [401, 403, 408, 425, 429];

/**
 * Why a read of an account was refused, if its platform is the reason: an account that is given by its id is looked up
 * only then. Null for any other reason.
 */
export async function otherPlatformBehind(
  client: Client,
  error: unknown,
  account: ResolvedAccount,
  primary: string,
): Promise<OtherPlatformError | null> {
  if (!(error instanceof ServiceError)) return null;
  const { status } = error.problem;
  if (status === null || status < 400 || status >= 500 || NOT_ABOUT_PLATFORM.includes(status)) return null;
  return otherPlatformOf(client, account, primary);
}

/** The error for an account that is not on the primary platform. Null also if its platform cannot be read. */
export async function otherPlatformOf(
  client: Client,
  { alias, accountId }: ResolvedAccount,
  primary: string,
): Promise<OtherPlatformError | null> {
  const read = await client.call('accounts.get', { params: { account_id: accountId } });
  const platform = read.kind === 'done' ? read.reply.account.platform : null;
  if (typeof platform !== 'string' || platform === primary) return null;
  const words = `${accountId} ("${alias}")`;
  return new OtherPlatformError(alias, new OtherPlatform(words, platform, [primary]).sentence);
}
