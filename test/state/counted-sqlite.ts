import { DatabaseSync as Driver, type StatementSyncInstance } from '@photostructure/sqlite';

/** Called before each statement of a process of the tests. Its bundle has this in place of the driver. */
export const statements = {
  before: (_text: string, _exec: (text: string) => void): void => undefined,
};

/** The driver. Its own methods cannot be replaced. */
export class DatabaseSync extends Driver {
  override exec(text: string): void {
    statements.before(text, (other) => super.exec(other));
    super.exec(text);
  }

  override prepare(text: string): StatementSyncInstance {
    const made = super.prepare(text);
    return new Proxy(made, {
      get: (target, name: 'all') => {
        const value: unknown = target[name];
        if (typeof value !== 'function') return value;
        return (...values: unknown[]): unknown => {
          if (name === 'all') statements.before(text, (other) => super.exec(other));
          return value.apply(target, values);
        };
      },
    });
  }
}
