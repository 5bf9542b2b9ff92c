import * as z from 'zod';

/** What a comment says to later jobs: which plan was reviewed, and where it is. */
const reviewMarkerShape = z.object({
  schema: z.literal('herald/ci/1'),
  /** The run that has the artifact; null where there is none. */
  run: z.string().nullable(),
  /** The name of the artifact with the plan. */
  artifact: z.string(),
  /** The fingerprint of the plan. Null if there is none, for example because the files have errors. */
  plan: z.string().nullable(),
  /** The last commit of the pull request that was planned. */
  head: z.string(),
  /** The commit that it was compared with; null if it was compared with none. */
  base: z.string().nullable(),
  /** The fingerprints of the changes, by address. Left out if there are too many; then only the artifact has them. */
  changes: z.record(z.string(), z.array(z.string())).optional(),
  /** Addresses that a later pull request has changed before these changes were applied. They are not reviewed any more. */
  withdrawn: z.array(z.string()).optional(),
  /** Of the Herald that made it. */
  version: z.string(),
});
export interface ReviewMarker extends Readonly<z.infer<typeof reviewMarkerShape>> {}

/** The JSON of a marker has at most this many bytes, so that the plan has its space in the comment. */
const MARKER_BYTES_MAX = 20_000;

/** No marker of a later version is longer; a comment may be. */
const MARKER_TEXT_MAX = 200_000;

/** The beginning of the comment of one workspace. */
export function markerStart(workspace: string): string {
  return `<!-- herald:${workspace} `;
}

/** The first line of a comment. Leaves out the changes if they do not fit. */
export function markerLine(workspace: string, marker: ReviewMarker): string {
  const whole = JSON.stringify(marker);
  const { changes: _changes, ...short } = marker;
  const json = Buffer.byteLength(whole) <= MARKER_BYTES_MAX ? whole : JSON.stringify(short);
  return `${markerStart(workspace)}${Buffer.from(json).toString('base64url')} -->`;
}

/** The same comment, in which these addresses are not reviewed any more. */
export function withWithdrawn(workspace: string, body: string, addresses: readonly string[]): string {
  const marker = readMarker(workspace, body);
  const end = body.indexOf('\n');
  if (marker === null || end === -1) return body;
  const withdrawn = [...new Set([...(marker.withdrawn ?? []), ...addresses])];
  return `${markerLine(workspace, { ...marker, withdrawn })}${body.slice(end)}`;
}

/**
 * What the first line of a comment says. Null for anything else, also for a marker that is damaged. Only comments of our
 * own identity may be read with it: anyone can write such a line.
 */
export function readMarker(workspace: string, body: string): ReviewMarker | null {
  const start = markerStart(workspace);
  if (!body.startsWith(start)) return null;
  const line = body.slice(start.length, start.length + MARKER_TEXT_MAX);
  const encoded = /^([\w-]+) -->(?=\r?\n|$)/.exec(line)?.[1];
  if (encoded === undefined) return null;
  try {
    const read = reviewMarkerShape.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
