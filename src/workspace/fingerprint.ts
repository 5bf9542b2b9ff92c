import { digest } from '../domain/digest.ts';
import type { Declared } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';

/** Resources per hash, because hashing each alone is slower. */
const HASHED_TOGETHER = 256;

/**
 * Fingerprint of everything declared, independent of the layout of the files. A saved plan names its service
 * separately.
 */
export function fingerprint(settings: WorkspaceSettings, declared: readonly Declared[]): string {
  const accounts = settings.accounts.map(({ alias, selector }) => ({ alias, selector }));
  const resources: string[] = [];
  for (let start = 0; start < declared.length; start += HASHED_TOGETHER) {
    const together = declared.slice(start, start + HASHED_TOGETHER);
    // As text: the shapes have already sorted the keys.
    resources.push(
      digest(JSON.stringify(together.map(({ source: _source, written: _written, ...resource }) => resource))),
    );
  }
  const { identity, target, ...service } = settings.service;
  // Settings that the origin does not show must be part of the fingerprint, too.
  const unshown =
    target.kind === 'http' && target.baseUrl !== identity.origin ? digest(target.baseUrl) : null;
  return digest({ ...settings, service: { ...service, unshown }, accounts, resources });
}
