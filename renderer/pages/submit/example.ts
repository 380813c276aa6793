/** A whole example job: one film in, one small MP4 out. The two paths must be filled in. */
export const exampleJob = `{
  "name": "My first job",
  "payload": {
    "elements": [
      {
        "uid": "source",
        "kind": "source",
        "payload": {
          "kind": "asset_url",
          "payload": { "storage_provider": "file", "url": "/folder/of/a/node/film.mov" }
        }
      },
      {
        "uid": "transcode",
        "kind": "transcode",
        "payload": {
          "location": { "storage_provider": "file", "path": "/folder/of/a/node/made" },
          "targets": [
            {
              "file_pattern": "{source_basename}_720p{default_extension}",
              "existing_files": "replace",
              "container": { "kind": "mp4" },
              "video": { "codec": "h264", "height": 720, "bitrate_kb": 3000 },
              "audio": [{ "codec": "aac_lc", "channels": 2, "bitrate_kb": 128 }]
            }
          ]
        }
      }
    ],
    "connections": [
      { "from": [{ "element": "source" }], "to": { "success": [{ "element": "transcode" }] } }
    ]
  }
}
`;
