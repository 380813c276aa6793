import { expect, test } from "vitest";
import { aReport } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report } = useFarm();

const document = `<cnpsXML TaskType="JobQueue" JobName="From Carbon" Priority.DWD="200">
  <Sources><Module_0 Filename="/media/in.mov"/></Sources>
  <Destinations>
    <Module_0 PresetGUID="{DF227069-514D-4127-BB25-BF31D1E732AA}">
      <ModuleData CML_P_BaseFileName="%s_web" CML_P_Path="/out" UsedStreamVideo.DWD="0" Odd.DWD="1"/>
      <PostconversionTasks>
        <FTPUpload_0 Host="ftp.example" TargetFolder="/up" UserName="u" Password="a secret word"/>
      </PostconversionTasks>
    </Module_0>
  </Destinations>
</cnpsXML>`;

test.each(["thirdparty", "rhozet"])("a document of schema %s runs as an ordinary job", async (schema) => {
  const node = await world().node();
  const id = await submit({ schema, name: "a job", payload: document });
  const audio = [{ index: 0, codec: "aac", timeBase: { num: 1, den: 48_000 }, channels: 2, sampleRate: 48_000 }];
  const duration = { num: 5, den: 1 };
  const facts = {
    format: "mov",
    duration,
    size: 1000,
    video: [],
    audio: [{ ...audio[0], duration }],
    others: [],
  } as never;
  await report(node, aReport(await node.assigned(), { facts }));
  expect(world().tasks(id)).toEqual(["source facts completed", "destination_0 work ready"]);
  const row = stored(farm()).job(id);
  expect([row?.name, row?.priority]).toEqual(["a job", 200]);
  expect(stored(farm()).graph(id).warnings).toContain("line 5: Odd.DWD of <ModuleData> has no effect");
});

test("passwords of a document lie sealed in the store", async () => {
  await submit({ schema: "thirdparty", name: "a job", payload: document });
  const rows = stored(farm()).all("SELECT * FROM jobs");
  expect(JSON.stringify(rows)).not.toContain("a secret word");
});
