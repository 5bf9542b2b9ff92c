import { embeddedOrigin } from '../domain/service-identity.ts';
import type { ServiceTarget } from '../domain/workspace.ts';
import type { LedgerLine } from './lines.ts';

/** The service that a run works with, as its ledger knows it. */
export interface Counterpart {
  /** What tells it from other simulators. */
  readonly address: string;
  /** What its answers told so far. */
  serverInfo(): {
    /** Its clock minus this machine's, milliseconds; null while no answer said. */
    readonly skewMs: number | null;
    /** It said of itself that it only pretends. */
    readonly isSimulator: boolean;
  };
}

/** The address of a service: of an embedded simulator the file that it is kept in. */
export function addressOf(target: ServiceTarget): string {
  if (target.kind === 'simulator') return embeddedOrigin(target.worldFile);
  if (!URL.canParse(target.baseUrl)) return target.baseUrl;
  const { origin, pathname } = new URL(target.baseUrl);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** The view of whoever works with a service that no line names: what is asked of no simulator, or of nobody knows whom. */
export const EVERYBODY = '';

/**
 * The lines that count for whoever works with the service of that address: those of another simulator say nothing
 * about it. Lines without an origin count everywhere; they are the service's own, or older than origins (decision 14).
 */
export function inView<Line extends LedgerLine>(lines: readonly Line[], address: string): readonly Line[] {
  return lines.filter(({ origin }) => origin === undefined || origin === address);
}

/** To which of the views a line belongs that counts in several. */
export function ownView({ origin }: LedgerLine): string {
  return origin ?? EVERYBODY;
}

/**
 * Names the simulator on lines that do not: a run works with one service and may hear only late what that is, and
 * what ends a request is about the service that it was asked of. In whatever order the lines stand.
 */
export function withOrigins(lines: readonly LedgerLine[]): readonly LedgerLine[] {
  if (lines.every(({ origin }) => origin === undefined)) return lines;
  const ofRun = new Map<string, string>();
  for (const line of lines)
    if (line.origin !== undefined && isOfItsRun(line)) ofRun.set(line.run, line.origin);
  const named = lines.map((line) => (isOfItsRun(line) ? withOrigin(line, ofRun.get(line.run)) : line));
  const ofEntry = new Map<string, string | undefined>();
  for (const line of named)
    if (line.type === 'intent' || line.type === 'act') ofEntry.set(line.entry, line.origin);
  return named.map((line) => ('entry' in line ? withOrigin(line, ofEntry.get(line.entry)) : line));
}

/** What a compaction writes stands for lines of other runs. */
export function isOfItsRun({ type }: LedgerLine): boolean {
  return type !== 'known' && type !== 'compacted';
}

/** The line as one about that simulator, unless it names its own. */
export function withOrigin<Line extends LedgerLine>(line: Line, origin: string | undefined): Line {
  return line.origin !== undefined || origin === undefined ? line : { ...line, origin };
}
