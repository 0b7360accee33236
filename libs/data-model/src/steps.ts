/** The steps of a plan. */
import type { Dialect, NativeNeed, NativePart } from './model';
import type { ColumnType, ExactColumn, KeyType, NativeStructure } from './structure';

export interface ColumnShape {
  readonly name: string;
  readonly type: ColumnType;
  readonly required: boolean;
  /** Like in the parts of imported tables, columns are named by their names: `⟦email⟧`. */
  readonly native?: ExactColumn;
}

/** What a part of an imported table needs to be written for either engine. */
interface PartStep {
  readonly table: string;
  readonly part: NativePart;
  readonly dialect: Dialect;
  readonly as: string;
}

/** Names of tables and columns are those at the time when the step runs. */
export type Step =
  | { readonly kind: 'dropForeignKey' | 'dropIndex'; readonly table: string; readonly name: string }
  | { readonly kind: 'dropTable'; readonly table: string }
  | { readonly kind: 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly kind: 'renameTable'; readonly table: string; readonly to: string }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly column: string; readonly to: string }
  | {
      readonly kind: 'createTable';
      readonly table: string;
      readonly key: KeyType;
      readonly columns: readonly ColumnShape[];
      /** Of an imported table, with the parts that are created along with it. */
      readonly native?: Omit<NativeStructure, 'needs'>;
    }
  | {
      readonly kind: 'createNeed';
      readonly table: string;
      readonly need: NativeNeed;
      readonly dialect: Dialect;
    }
  | ({ readonly kind: 'addPart' | 'dropPart' } & PartStep)
  | {
      readonly kind: 'addColumn';
      readonly table: string;
      readonly column: ColumnShape;
      /** What existing rows get. */
      readonly value?: string;
    }
  /** Follows an added column with a value for existing rows. */
  | { readonly kind: 'dropDefault'; readonly table: string; readonly column: string }
  /** Rows without a value get one, before the column becomes required. */
  | {
      readonly kind: 'fillColumn';
      readonly table: string;
      readonly column: string;
      readonly type: ColumnType;
      readonly value: string;
    }
  | {
      readonly kind: 'changeColumn';
      readonly table: string;
      readonly from: ColumnShape;
      readonly to: ColumnShape;
    }
  | { readonly kind: 'addIndex'; readonly table: string; readonly column: string; readonly name: string }
  | {
      readonly kind: 'addForeignKey';
      readonly table: string;
      readonly column: string;
      readonly name: string;
      readonly target: string;
      /** If it is not `id`. */
      readonly targetColumn?: string;
    };
