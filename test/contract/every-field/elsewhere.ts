/** Fields that change no plan: who reads them, and the test that shows it. */
export const elsewhere: Readonly<Record<string, string>> = {
  "source.(asset_complex).payload.asset_versions[].asset_components[].component_uid":
    "test/coordinator/http/server.test.ts: is echoed as it was received",
  "job.user_data": "test/coordinator/http/server.test.ts: is echoed as it was received",
  "job.payload.elements[].task.comment": "test/contract/api.test.ts: a task's comment is given back to programs",
};
