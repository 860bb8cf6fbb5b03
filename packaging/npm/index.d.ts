/** The keys of requests about files, which have the names of the command's options. */
export interface TableRequest {
  ask: "report" | "estimates" | "differences";
  /** Name of the file with scores and labels. */
  train: string;
  /** Names of the files with unlabelled scores. */
  test: string[];
  score?: string;
  label?: string;
  positive?: string;
  weight?: string;
  by?: string[];
  every?: "hour" | "day" | "week" | "month" | "quarter" | "year";
  method?: string[];
  transform?: string;
  cutoff?: number;
  target?: "sample" | "population";
  level?: number;
  /** For differences: the group that the other groups are compared with. */
  reference?: string;
  /** For a report: the names of rows and positives in its sentences. */
  items?: string;
  positive_name?: string;
}

/** A request with the counts of an imperfect test; numbers are text, such as "90/100" or "97%". */
export interface CountsRequest {
  ask: "counts";
  positives: string;
  tested: string;
  sensitivity: string;
  specificity: string;
}

export interface ColumnsRequest {
  ask: "columns";
  file: string;
}

export interface ChoicesRequest {
  ask: "choices";
}

export type Request = TableRequest | CountsRequest | ColumnsRequest | ChoicesRequest;

export interface Answer {
  /** The results; columns and choices have other keys. */
  answer: {
    /** Estimates: a CSV table. */
    text?: string;
    /** Differences and counts: a table. */
    html?: string;
    /** A report: a document of one file. */
    page?: string;
    /** The command line with the same results. */
    command?: string;
    [key: string]: unknown;
  };
  warnings: string[];
}

export interface Truecount {
  /** Answers a request about files, given by their names. Throws an Error that says what is wrong. */
  ask(request: Request, files?: Record<string, string | Uint8Array>): Answer;
}

/** Compiles the module. */
export function load(): Promise<Truecount>;
