/** Regulations by name: target loudness in LUFS, its tolerance, and the highest true peak in dBTP. */
export const regulations = {
  ebu_r128: { target: -23, tolerance: 0.5, peak: -1 },
  atsc_a85_fixed: { target: -24, tolerance: 2, peak: -2 },
  atsc_a85_agile: { target: -24, tolerance: 2, peak: -2 },
  freetv_op59: { target: -24, tolerance: 1, peak: -2 },
  arib_tr_b32: { target: -24, tolerance: 1, peak: -1 },
} as const;
