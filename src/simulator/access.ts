import { rowOf, type Operation } from '../api/catalogue.ts';
import type { Permission } from '../api/row.ts';
import { notFound, Refusal } from './refusal.ts';
import type { Route } from './routing.ts';
import { PRIMARY_PLATFORM, SECONDARY_PLATFORM, type AccountState, type ApiKey } from './state.ts';
import { findAccount, type World } from './world.ts';

/** Assumed: a missing or unknown token is a 401 (ACCOUNT-7). */
export function authenticate(world: World, token: string | null): ApiKey {
  const key = world.keys.find((known) => known.key === token);
  if (key === undefined || key.revoked) throw new Refusal(401, 'Invalid API key', { code: 'UNAUTHORIZED' });
  return key;
}

/** The details name the missing permission (ACCOUNT-8). */
export function requirePermission(key: ApiKey, required: Permission): void {
  if (key.permissions === 'all' || key.permissions.includes(required)) return;
  throw new Refusal(403, 'The API key lacks a permission', {
    code: 'API_KEY_PERMISSION_DENIED',
    details: { required_permission: required },
  });
}

/** Operations that take accounts of the other platform too (ACCOUNT-5). */
const BOTH_PLATFORMS: readonly Operation[] = ['accounts.get', 'revenue.transactions'];

/** Checks that the key covers the account in the path, and that the operation supports the account's platform. */
export function requireAccount(world: World, key: ApiKey, { operation, params }: Route): void {
  const { account_id, platform, platform_account_id } = params;
  if (platform !== undefined) requirePlatform(world, operation, platform);
  if (account_id === undefined && platform_account_id === undefined) return;
  const account =
    account_id !== undefined
      ? findAccount(world, account_id)
      : Object.values(world.accounts).find(
          ({ live }) => live.platform === platform && live.platform_account_id === platform_account_id,
        );
  if (account === undefined && key.accounts === null) throw notFound('Account');
  if (account === undefined || !covers(key, account))
    throw new Refusal(world.modes.scopeStatus, 'The API key has no access to this account');
  requirePlatform(world, operation, account.live.platform);
}

/** A key covers chosen accounts, or a platform (later accounts too), or all (ACCOUNT-9). */
export function covers(key: ApiKey, { live }: AccountState): boolean {
  if (key.accounts !== null) return key.accounts.includes(live.id);
  return key.platform === null || key.platform === live.platform;
}

function requirePlatform(world: World, operation: Operation, platform: string): void {
  const served = BOTH_PLATFORMS.includes(operation)
    ? [PRIMARY_PLATFORM, SECONDARY_PLATFORM]
    : [PRIMARY_PLATFORM];
  if (served.includes(platform)) return;
  throw new Refusal(
    world.modes.wrongPlatformStatus,
    `${rowOf(operation).title}: not available for this platform`,
  );
}

/** The account that a path by platform names. The caller has checked the key. */
export function platformAccountOf(
  world: World,
  path: { readonly platform: string; readonly platform_account_id: string },
): AccountState {
  const account = Object.values(world.accounts).find(
    ({ live }) => live.platform === path.platform && live.platform_account_id === path.platform_account_id,
  );
  if (account === undefined) throw notFound(`Account ${path.platform_account_id}`);
  return account;
}

/** The account that a path names. The caller has checked the key. */
export function accountOf(world: World, accountId: string): AccountState {
  const account = findAccount(world, accountId);
  if (account === undefined) throw notFound(`Account ${accountId}`);
  return account;
}
