import type { Verdict } from '../apply/verdict.ts';
import type { ByHand, DeniedNow } from '../apply/step-context.ts';
import type { Client } from '../api/client.ts';
import type { Allowance } from '../domain/allowance.ts';
import type { Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { KnowledgeOn } from '../domain/knowledge.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { Declared, Observed, PlaceOf, ResolvedAccount } from '../domain/resource.ts';
import type { BeginUploads } from '../domain/uploads.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Ages } from '../ledger/ages.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerReader } from '../ledger/reader.ts';
import type { ProtectionRecord } from '../plan/guards/protection-records.ts';
import type { ApprovalGate, OutdatedGate, Review } from '../plan/review.ts';
import type { Targeting } from '../plan/targets.ts';

/** The loaded files, with a connection to the service. */
export interface Opened {
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly warnings: readonly Diagnostic[];
  /** The digest of the files as they are by now; null if they are not valid any more. */
  readonly digestNow: () => Promise<string | null>;
  readonly client: Client;
  /** Checks a media file, once per run. */
  readonly examineMedia: ExamineMedia;
  /** Uploads declared files to vaults, recorded in this ledger. */
  readonly uploads: (ledger: Ledger) => BeginUploads;
  /** Ages of unconfirmed entries. */
  readonly ages: Ages;
  readonly reader: LedgerReader;
  /** The accounts of the aliases at the first lookup of this run. Names may move while it works. */
  readonly accountIds: Map<string, string>;
  /**
   * What the key does not see, as a plan has it. The first look of a run finds it; a list that it read must be readable until
   * the end.
   */
  readonly unseen: Map<string, string>;
}

/** A plan with all its inputs. */
export interface Inspection {
  readonly plan: Plan;
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  /** The ledger with verdicts about its unconfirmed entries, without those outside of the run. */
  readonly knowledge: KnowledgeOn<'machine'>;
  /** Entries of the requests that the ledger had, without those that had long ended. */
  readonly entries: ReadonlySet<string>;
  /** The verdicts about unconfirmed entries, which an apply handles first. */
  readonly verdicts: readonly Verdict[];
  /** Records about the protection of live objects, for an apply to write. */
  readonly protection: readonly ProtectionRecord[];
  /** Time of the plan on the service's clock, in epoch milliseconds. */
  readonly nowMs: number;
}

/** Allowances and targets of a run. */
export interface RunOptions {
  readonly allow: ReadonlySet<Allowance>;
  readonly targeting: Targeting;
  /** What the run may do. Without it, everything. */
  readonly review?: Review;
  /** Finds out what has the approvals that it needs. Called for each look. */
  readonly approvals?: () => Promise<ApprovalGate>;
  /** Finds out what a newer commit declares differently. Called for each look, so it keeps its answer. */
  readonly outdated?: () => Promise<OutdatedGate>;
}

/** The source of a run's plan. A run looks as often as needed, and each look reads live state again. */
export interface Source {
  readonly client: Client;
  readonly declared: readonly Declared[];
  /** Set for one change by hand. */
  readonly byHand: ByHand | null;
  readonly settleMs: number;
  readonly deniedNow: DeniedNow;
  /** Ages of the ledger's requests, with those of this run. */
  readonly ages: Ages;
  readonly reader: LedgerReader;
  /** Uploads declared files to vaults, recorded in this ledger. */
  uploads(ledger: Ledger): BeginUploads;
  /** Reads everything needed and plans. Sends only GETs. */
  look(): Promise<Inspection>;
}
