import * as z from 'zod';
import { digest } from '../domain/digest.ts';

/** What a comment says to later jobs: which plan was reviewed, and where it is. */
const reviewMarkerShape = z.object({
  schema: z.literal('herald/ci/1'),
  /** The run that has the artifact; null where there is none. */
  run: z.string().nullable(),
  /** The fingerprint of the plan. Null if there is none, for example because the files have errors. */
  plan: z.string().nullable(),
  /** The last commit of the pull request that was planned. */
  head: z.string(),
});

export interface ReviewMarker extends Readonly<z.infer<typeof reviewMarkerShape>> {}

/** The name of the saved plan in the jobs that `ci init` writes, and in the artifact that `ci apply` reads. */
export const PLAN_FILE = 'herald-plan.json';

/** No marker is longer; a comment may be. */
const MARKER_TEXT_MAX = 200_000;

/** Enough hex characters to distinguish the workspaces of one repository. */
const DIGEST_LENGTH = 12;

/** What tells a workspace apart from the others of its repository: in comments, artifacts, statuses and issues. */
export class WorkspaceNames {
  /** A digest, because a folder may have any characters. */
  readonly digest: string;
  /** The name of the artifact with its plan. */
  readonly artifact: string;
  /** The beginning of the comment with its plan. */
  readonly markerStart: string;
  /** The context of a plan's status, which is on the head of a pull request. That of an apply is on the merged commit. */
  readonly context: string;

  /** `folder` is that of the workspace in the repository; empty at its top. */
  constructor(folder: string) {
    this.digest = digest({ workspace: folder }).slice(0, DIGEST_LENGTH);
    this.artifact = `herald-plan-${this.digest}`;
    this.markerStart = `<!-- herald:${this.digest} `;
    this.context = folder === '' ? 'herald' : `herald/${folder}`;
  }

  /** The first line of the comment. */
  writeMarker(marker: ReviewMarker): string {
    return `${this.markerStart}${Buffer.from(JSON.stringify(marker)).toString('base64url')} -->`;
  }

  /**
   * What the first line of a comment says. Null for anything else, also for a marker that is damaged. Only comments of our
   * own identity may be read with it: anyone can write such a line.
   */
  readMarker(body: string): ReviewMarker | null {
    if (!body.startsWith(this.markerStart)) return null;
    const { length } = this.markerStart;
    const encoded = /^([\w-]+) -->(?=\r?\n|$)/.exec(body.slice(length, length + MARKER_TEXT_MAX))?.[1];
    if (encoded === undefined) return null;
    try {
      const read = reviewMarkerShape.safeParse(
        JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')),
      );
      return read.success ? read.data : null;
    } catch {
      return null;
    }
  }
}
