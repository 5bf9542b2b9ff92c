import type { Diagnostic } from '../domain/diagnostic.ts';
import { objectKey } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import type { LedgerReading } from '../ledger/reader.ts';
import { withUncertainStops } from '../ledger/uncertain-stops.ts';
import { believedOf, type Contradiction } from '../plan/believed.ts';

interface BelievedLedger extends LedgerReading {
  /** Warnings for lines that the service contradicts. They are in the diagnostics, too. */
  readonly doubts: readonly Diagnostic[];
}

/** The ledger without the facts that the service contradicts, and with the stops by hand that may be the last word. */
export function believedLedger(ledger: LedgerReading, observed: readonly Observed[]): BelievedLedger {
  const { knowledge, contradictions } = believedOf(withUncertainStops(ledger), observed);
  const doubts = contradictions.map((contradiction) => doubt(contradiction, ledger));
  return { ...ledger, knowledge, doubts, diagnostics: [...ledger.diagnostics, ...doubts] };
}

function doubt({ object, field, words }: Contradiction, { lineOf, name }: LedgerReading): Diagnostic {
  const { account, accountId, kind, live } = object;
  const line = lineOf(objectKey(accountId, kind, live.id), field);
  return {
    severity: 'warning',
    code: 'ledger-contradicted',
    message: `This line says that Herald created ${kind} ${live.id} on account ${account}, but the service contradicts it: ${words}. So Herald does not treat it as its own. Find out who added the line (git blame ${name}) and remove it; to manage the object anyway, use --allow adopt.`,
    file: name,
    ...(line === null ? {} : { line }),
  };
}
