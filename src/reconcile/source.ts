import type { Verdict } from '../apply/judge-open.ts';
import type { ByHand } from '../apply/step-context.ts';
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
import type { Targeting } from '../plan/targets.ts';

/** What the files say, with a way to ask the service. */
export interface Opened {
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly warnings: readonly Diagnostic[];
  readonly client: Client;
  /** Looks at a file that a message shows, once in a run. */
  readonly examineMedia: ExamineMedia;
  /** Brings declared files into vaults, on record in this ledger. */
  readonly uploads: (ledger: Ledger) => BeginUploads;
  /** How old open entries of the ledger are. */
  readonly ages: Ages;
  readonly reader: LedgerReader;
  /** The accounts that the aliases stood for when this run looked them up first: a name may move while it works. */
  readonly accountIds: Map<string, string>;
}

/** A plan and everything that it was made from. */
export interface Inspection {
  readonly plan: Plan;
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  /** The ledger, with what the lists say about its open entries; those outside of the run are left out. */
  readonly knowledge: KnowledgeOn<'machine'>;
  /** What an apply has to do about the open entries before anything else. */
  readonly verdicts: readonly Verdict[];
  /** What an apply writes down about the protection of live objects. */
  readonly protection: readonly ProtectionRecord[];
  /** The service's time of the plan, epoch milliseconds. */
  readonly nowMs: number;
}

/** What a run of the files may do, and what it is about. */
export interface Terms {
  readonly allow: ReadonlySet<Allowance>;
  readonly targeting: Targeting;
}

/** Where a run's plan comes from. A run looks as often as it needs, and each look sees live state anew. */
export interface Source {
  readonly client: Client;
  readonly declared: readonly Declared[];
  /** Set where a person asked for one change by hand. */
  readonly byHand: ByHand | null;
  readonly settleMs: number;
  /** By which the ledger's requests are judged, those of this run included. */
  readonly ages: Ages;
  readonly reader: LedgerReader;
  /** Brings declared files into vaults, on record in this ledger. */
  uploads(ledger: Ledger): BeginUploads;
  /** Reads everything that matters and plans. Sends only GETs. */
  look(): Promise<Inspection>;
}
