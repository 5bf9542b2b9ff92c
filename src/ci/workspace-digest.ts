import { sha256Of } from '../domain/digest.ts';

/** Enough hex characters to distinguish the workspaces of one repository. */
const DIGEST_LENGTH = 12;

/**
 * The name of a workspace in markers of comments and in names of artifacts: a digest of its folder in the repository,
 * because a folder may have any characters.
 */
export function workspaceDigest(folder: string): string {
  return sha256Of({ workspace: folder }).slice('sha256:'.length).slice(0, DIGEST_LENGTH);
}

/** The name of the artifact with the plan of a workspace. */
export function planArtifact(folder: string): string {
  return `herald-plan-${workspaceDigest(folder)}`;
}
