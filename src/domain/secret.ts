import { inspect } from 'node:util';

/** A secret has no string form, so that no log, error or JSON shows it by accident. */
export abstract class Secret {
  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

const HIDDEN = '***';
