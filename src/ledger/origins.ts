import { embeddedOrigin, type ServerInfo } from '../domain/service-identity.ts';
import type { ServiceTarget } from '../domain/workspace.ts';
import type { LedgerLine } from './lines.ts';

/** The service that a run works with, as its ledger knows it. */
export interface ConnectedService {
  /** Tells it from other simulators. */
  readonly address: string;
  /** Learned from its answers so far. */
  serverInfo(): ServerInfo;
}

/** The address of a service; for an embedded simulator, its file. The ledger names the world as well (`worldOrigin`). */
export function addressOf(target: ServiceTarget): string {
  if (target.kind === 'simulator') return embeddedOrigin(target.worldFile);
  if (!URL.canParse(target.baseUrl)) return target.baseUrl;
  const { origin, pathname } = new URL(target.baseUrl);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** The view with the lines without an origin: they count for every service. */
export const ALL_SERVICES = '';

/**
 * The lines that count for the service of that address. Lines of another simulator do not. Lines without an origin count
 * everywhere: they belong to the service itself, or are older than origins (decision 14).
 */
export function inView<Line extends LedgerLine>(lines: readonly Line[], address: string): readonly Line[] {
  return lines.filter(({ origin }) => origin === undefined || origin === address);
}

/** The view that a line belongs to, if it counts in several. */
export function viewOfLine({ origin }: LedgerLine): string {
  return origin ?? ALL_SERVICES;
}

/**
 * Adds the simulator to lines without one. A run works with one service and may learn its name late, and the outcome of
 * a request belongs to the service that got the request. The lines may be in any order.
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

/** False for lines of a compaction, because they replace lines of other runs. */
export function isOfItsRun({ type }: LedgerLine): boolean {
  return type !== 'known' && type !== 'compacted';
}

/** The line as one about that simulator, unless it names its own. */
export function withOrigin<Line extends LedgerLine>(line: Line, origin: string | undefined): Line {
  return line.origin !== undefined || origin === undefined ? line : { ...line, origin };
}
