import type { Allowance } from './change-kinds.ts';
import type { PlatformAccountId } from './ids.ts';
import type { SourcePlace } from './resource.ts';
import type { ServiceIdentity } from './service-identity.ts';

export type ServiceTarget =
  | { readonly kind: 'http'; readonly baseUrl: string }
  | { readonly kind: 'simulator'; readonly worldFile: string };

/** Sets of words that the service documents only in part. */
export type WordSet = 'kinds' | 'triggers' | 'media_types' | 'online_check_modes';

/** More words that the workspace declares, by set. */
export type KnownWords = Readonly<Record<WordSet, readonly string[]>>;

/** `service:` of `herald.yaml`, with defaults and environment variables. */
export interface ServiceSettings {
  readonly target: ServiceTarget;
  /** The target, for plans and questions. */
  readonly identity: ServiceIdentity;
  readonly authHeader: string;
  /** The service's names of its two platforms, for paths. */
  readonly platforms: { readonly primary: string; readonly secondary: string };
  readonly requestTimeoutSec: number;
  /** How long an unconfirmed create may still succeed. */
  readonly settleSec: number;
  /** Share of every published rate that this process uses, above 0 and up to 1. */
  readonly rateShare: number;
  readonly listStyle: ListStyle;
  readonly knownWords: KnownWords;
}

/** `a=1&a=2`, `a[]=1&a[]=2` or `a=1,2`. The document does not say which one the service takes (READ-10). */
export const LIST_STYLES = ['repeat', 'brackets', 'comma'] as const;
export type ListStyle = (typeof LIST_STYLES)[number];

export const SERVICE_DEFAULTS = {
  authHeader: 'x-svc-auth-token',
  platforms: { primary: 'platform_a', secondary: 'platform_b' },
  requestTimeoutSec: 75,
  settleSec: 75,
  rateShare: 0.9,
  listStyle: 'repeat',
  knownWords: { kinds: [], triggers: [], media_types: [], online_check_modes: [] },
} as const;

/** How `herald.yaml` selects an account. Everything but `id` is looked up in the accounts list. */
export interface AccountSelector {
  readonly by: 'id' | 'username' | 'custom_label' | 'platform_account_id';
  readonly value: string;
}

export interface WorkspaceAccount {
  readonly alias: string;
  readonly selector: AccountSelector;
  /** The platform's id, if the file states it next to the id. */
  readonly platformAccountId?: PlatformAccountId;
  readonly platform?: keyof ServiceSettings['platforms'];
  readonly source: SourcePlace;
}

/** The effect of a broken rule: `deny` blocks the whole run before any write (exit 5), `warn` only warns. */
export const POLICY_LEVELS = ['deny', 'warn'] as const;

/** The setting of one rule. Other members are known to the rule only. */
export interface PolicySetting {
  readonly level: (typeof POLICY_LEVELS)[number];
}

/** `policy:` by the keys of `herald.yaml`, without rules that are not set. */
export type Policy = Readonly<Record<string, PolicySetting>>;

/** The checked `herald.yaml`. */
export interface WorkspaceSettings {
  readonly service: ServiceSettings;
  readonly accounts: readonly WorkspaceAccount[];
  /** Aliases by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly allow: readonly Allowance[];
  /** Name prefix of objects that `--allow prune` may stop without the state, or null. */
  readonly ownershipPrefix: string | null;
  readonly policy: Policy;
  readonly eventsKeepDays: number;
  /** What a plan of a pull request is about. */
  readonly ciScope: (typeof CI_SCOPES)[number];
  /** Which changes `ci apply` carries out only from an approved pull request. Null for none. */
  readonly requireApproval: RequireApproval | null;
}

/** Only what a pull request declares differently, or everything. */
export const CI_SCOPES = ['changed', 'all'] as const;

/** `ci.require_approval`, the strictest first. */
export const REQUIRE_APPROVAL = ['all', 'irreversible'] as const;
export type RequireApproval = (typeof REQUIRE_APPROVAL)[number];

export interface Workspace extends WorkspaceSettings {
  /** Fingerprint of everything declared, to detect changed files with a saved plan. Computed on demand. */
  readonly digest: () => Promise<string>;
  /** The resource files, sorted. */
  readonly files: readonly string[];
  /** `files:`. */
  readonly patterns: readonly string[];
  /** Those without a match. */
  readonly unmatched: readonly string[];
}
