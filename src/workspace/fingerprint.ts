import { digest } from '../domain/digest.ts';
import type { Declared } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';

/**
 * Fingerprint of everything declared, independent of the layout of the files. A saved plan names its service
 * separately.
 */
export function fingerprint(settings: WorkspaceSettings, declared: readonly Declared[]): string {
  const accounts = settings.accounts.map(({ alias, selector }) => ({ alias, selector }));
  // As text, because that is faster: the shapes have already sorted the keys.
  const resources = JSON.stringify(
    declared.map(({ source: _source, written: _written, ...resource }) => resource),
  );
  const { identity, target, ...service } = settings.service;
  // Settings that the origin does not show must be part of the fingerprint, too.
  const unshown =
    target.kind === 'http' && target.baseUrl !== identity.origin ? digest(target.baseUrl) : null;
  return digest({ ...settings, service: { ...service, unshown }, accounts, resources: digest(resources) });
}
