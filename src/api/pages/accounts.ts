import type { Client } from '../client.ts';
import { ServiceError } from '../errors.ts';
import type { AccountReply } from '../shapes.ts';
import { readPages } from './read-pages.ts';

/** A million accounts. */
const PAGES_MAX = 1000;

/**
 * All accounts, by cursor, each once. Assumed: the list omits expired subscriptions by default, and the default
 * page is small (ACCOUNT-4).
 */
export async function listAccounts(client: Client): Promise<readonly AccountReply[]> {
  const accounts = new Map<string, AccountReply>();
  const query = { withExpiredSubscriptions: true };
  try {
    const pages = readPages(client, 'accounts.list', { params: {}, query }, { pagesMax: PAGES_MAX });
    for await (const page of pages) for (const account of page) accounts.set(account.id, account);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problem } = error;
    const what = `the list of accounts cannot be read: ${problem.what}`;
    throw new ServiceError({ ...problem, what }, { cause: error });
  }
  return [...accounts.values()];
}
