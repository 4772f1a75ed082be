import { observable, type Observable } from "./observable";

/** The last exchange with the server, for the status line below the answer. */
export type Exchange =
  | { readonly state: "idle" }
  | { readonly state: "waiting" }
  | {
      readonly state: "answered";
      /** HTTP status. */
      readonly status: number;
      readonly milliseconds: number;
      /** Size of the decoded body. */
      readonly bytes: number;
      readonly requestId: string | null;
      readonly graphqlErrors: number;
    }
  | { readonly state: "live"; readonly events: number; readonly lastAt: number | null }
  | { readonly state: "ended"; readonly events: number }
  | { readonly state: "failed"; readonly reason: string };

export const exchange: Observable<Exchange> = observable<Exchange>({ state: "idle" });

/** True after an answer 401 or a refused socket, until a request is let in. */
export const tokenWanted: Observable<boolean> = observable(false);
