import type { Allowance } from './allowance.ts';
import type { KnownWords } from './known-words.ts';
import type { Policy } from './policy.ts';
import type { SourcePlace } from './resource.ts';
import type { ServiceIdentity } from './service-identity.ts';

/** Where requests go: a service over HTTP, or the embedded simulator kept in a file of the workspace. */
export type ServiceTarget =
  | { readonly kind: 'http'; readonly baseUrl: string }
  | { readonly kind: 'simulator'; readonly worldFile: string };

/** `service:` of `herald.yaml`, with its defaults and environment variables filled in. */
export interface ServiceSettings {
  readonly target: ServiceTarget;
  /** The target as plans and questions name it. */
  readonly identity: ServiceIdentity;
  readonly authHeader: string;
  /** The service's words for its two platforms in paths. */
  readonly platforms: { readonly primary: string; readonly secondary: string };
  readonly requestTimeoutSec: number;
  /** How long a create whose answer was lost may still commit. */
  readonly settleSec: number;
  /** Share of every published rate that this process takes, above 0 and at most 1. */
  readonly rateShare: number;
  /** Words of the service that its document does not name. */
  readonly knownWords: KnownWords;
}

export const SERVICE_DEFAULTS = {
  authHeader: 'x-svc-auth-token',
  platforms: { primary: 'platform_a', secondary: 'platform_b' },
  requestTimeoutSec: 75,
  settleSec: 75,
  rateShare: 0.9,
  knownWords: { kinds: [], triggers: [], media_types: [], online_check_modes: [] },
} as const;

/** How `herald.yaml` says which account is meant; everything but `id` is looked up in the accounts list. */
export type AccountSelector =
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'username' | 'custom_label' | 'platform_account_id'; readonly value: string };

export interface WorkspaceAccount {
  readonly alias: string;
  readonly selector: AccountSelector;
  readonly source: SourcePlace;
}

/** `herald.yaml`, read and checked. */
export interface WorkspaceSettings {
  readonly service: ServiceSettings;
  readonly accounts: readonly WorkspaceAccount[];
  /** Aliases by the name of their group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly allow: readonly Allowance[];
  /** What `--allow prune` may retire where there is no ledger; null when not declared. */
  readonly ownershipPrefix: string | null;
  readonly policy: Policy;
}

/** The settings with what the resource files come to. */
export interface Workspace extends WorkspaceSettings {
  /** Fingerprint of everything declared, so that a saved plan can tell that the files moved; made when asked for. */
  readonly digest: () => Promise<string>;
  /** Resource files that were read, sorted. */
  readonly files: readonly string[];
  /** Patterns of `files:` that match nothing. */
  readonly unmatched: readonly string[];
}
