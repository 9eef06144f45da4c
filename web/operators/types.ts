// Generated from server/src/desk-operations.ts by npm run generate.

/** Every route, with what it takes and what it answers. */
export interface Routes {
  'GET /session': { query: undefined; body: undefined; answer: components['schemas']['ShowSessionResult'] }
  'DELETE /session': { query: undefined; body: undefined; answer: components['schemas']['EndSessionResult'] }
}

export interface components {
    schemas: {
        EndSessionResult: {
            /** @constant */
            ended: true;
        };
        ShowSessionResult: {
            operator: {
                id: string;
                name: string;
                email: string;
                /** @enum {string} */
                role: "viewer" | "support" | "trust" | "finance" | "admin";
            };
            rights: ("view" | "look" | "note" | "answer" | "rule" | "pay" | "switch" | "operate" | "staff")[];
            idle_minutes: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
