/* Frames: what they turn is listed whole, and a name of the other one is told with the one here. */
#include "../../host/lists/frames.h"
#include "../../host/model/small.h"
#include "../../host/result/failures.h"
#include "refusals.h"

#include <math.h>

static void expect_listed(omr_frame_kind frame, omr_framing turn, const char *list,
                          const char *name) {
  cr_expect(turn.how & OMR_TURN_LISTED,
            "host/lists/frame_%s.def has no row for %s of the %s: add how the frame turns it "
            "(SAME, if it does not)",
            omr_frame_list[frame].name, name, list);
}

Test(frames, every_quantity_has_a_row) {
  for (int f = 1; f < OMR_FRAMES; f++) {
    const omr_frame_kind frame = (omr_frame_kind)f;
    for (int i = 0; i < OMR_VP_COUNT; i++)
      expect_listed(frame, omr_parameter_turn(frame, false, i), "parameters",
                    omr_vehicle_parameters[i].path);
    for (int i = 0; i < OMR_WP_COUNT; i++)
      expect_listed(frame, omr_parameter_turn(frame, true, i), "wheel parameters",
                    omr_wheel_parameters[i].path);
    for (int i = 0; i < OMR_OBS_COUNT; i++)
      expect_listed(frame, omr_observable_turn(frame, i), "observables", omr_observables[i].name);
    for (int i = 0; i < OMR_VS_COUNT; i++)
      expect_listed(frame, omr_vehicle_sample_turn(frame, i), "samples",
                    omr_vehicle_samples[i].name);
    for (int i = 0; i < OMR_WS_COUNT; i++)
      expect_listed(frame, omr_wheel_sample_turn(frame, i), "samples of wheels",
                    omr_wheel_samples[i].name);
    for (int i = 0; i < OMR_SHAPE_COUNT; i++)
      expect_listed(frame, omr_wheel_shape_turn(frame, i), "shapes of wheels",
                    omr_wheel_shapes[i].name);
    for (int i = 0; i < OMR_DRIFT_COUNT; i++)
      expect_listed(frame, omr_drift_turn(frame, i), "drift", omr_drift_samples[i].name);
  }
}

Test(frames, every_sample_and_state_of_a_small_model_has_a_row) {
  for (int f = 1; f < OMR_FRAMES; f++) {
    const omr_frame_kind frame = (omr_frame_kind)f;
    for (int m = 0; m < OMR_SMALLS; m++) {
      const omr_small_list *small = &omr_small_lists[m];
      const char *name = omr_model_names[small->model];
      for (int i = 0; i < small->samples; i++)
        expect_listed(frame, omr_small_sample_turn(frame, small->model, small->sample_ids[i]), name,
                      small->sample_list[i].name);
      const omr_study study = {.model = small->model, .frame = OMR_FRAME_Y_UP};
      omr_failures failures;
      cr_assert_eq(omr_failures_make(&study, &failures, NULL), OMR_OK);
      for (size_t j = 0; j < failures.vehicle_count; j++)
        expect_listed(frame, omr_small_state_turn(frame, small->model, failures.vehicle[j].id),
                      name, failures.vehicle[j].id);
    }
  }
}

/* A turned value is checked against the bounds as they are listed, and a default is not turned. */
Test(frames, what_changes_its_sign_has_bounds_on_both_sides_and_no_default_but_zero) {
  for (int f = 1; f < OMR_FRAMES; f++) {
    for (int i = 0; i < OMR_VP_COUNT + OMR_WP_COUNT; i++) {
      const bool wheel = i >= OMR_VP_COUNT;
      const int index = wheel ? i - OMR_VP_COUNT : i;
      const omr_parameter *p =
          wheel ? &omr_wheel_parameters[index] : &omr_vehicle_parameters[index];
      if (!(omr_parameter_turn((omr_frame_kind)f, wheel, index).how & OMR_TURN_NEGATED)) continue;
      cr_expect_eq(p->low, -p->high, "%s", p->path);
      cr_expect(p->standard == 0 || isnan(p->standard), "%s", p->path);
    }
  }
}

static void expect_apart(omr_frame_kind frame, omr_model model, const char *a, const char *b) {
  cr_expect(!*a || strcmp(a, b) != 0, "%s of %s in the frame %s is two things", a,
            omr_model_names[model], omr_frame_list[frame].name);
}

Test(frames, no_two_quantities_of_a_model_get_one_name) {
  for (int f = 0; f < OMR_FRAMES * OMR_MODELS; f++) {
    const omr_frame_kind frame = (omr_frame_kind)(f % OMR_FRAMES);
    const omr_model model = (omr_model)(f / OMR_FRAMES);
    const omr_small_list *small = omr_small_list_of(model);
    for (int i = 0; i < OMR_VP_COUNT; i++)
      for (int j = 0; j < i; j++)
        if (omr_parameter_belongs(&omr_vehicle_parameters[i], model) &&
            omr_parameter_belongs(&omr_vehicle_parameters[j], model))
          expect_apart(frame, model, omr_vehicle_path(frame, i), omr_vehicle_path(frame, j));
    for (int i = 0; i < OMR_OBS_COUNT; i++)
      for (int j = 0; j < i; j++)
        expect_apart(frame, model, omr_framed_observable(frame, i).name,
                     omr_framed_observable(frame, j).name);
    for (int i = 0; small && i < small->samples; i++)
      for (int j = 0; j < i; j++)
        expect_apart(frame, model,
                     omr_framed_sample(omr_small_sample_turn(frame, model, small->sample_ids[i]),
                                       small->sample_list[i])
                         .name,
                     omr_framed_sample(omr_small_sample_turn(frame, model, small->sample_ids[j]),
                                       small->sample_list[j])
                         .name);
  }
}

#define ROS_V(parameters, sections)                                                                \
  "{'frame': 'ros', 'model': 'omni_vehicle',\n" INTEGRATOR "'parameters': {" parameters            \
  "}" sections "}"

Test(frames, a_name_of_the_other_frame_is_told_with_its_name_and_sign_here) {
  EXPECT_REFUSED(
      {ROS_V("'command': {'type': 'constant', 'vz': 0.3}", ""),
       {"s.json:3", "unknown key \"vz\": it is a name of the frame y_up",
        "write \"vy\", with the other sign"}},
      {V("'command': {'type': 'constant', 'vy': 0.3}", ""),
       {"unknown key \"vy\"", "\"frame\": \"ros\"", "write \"vz\", with the other sign"}},
      {V("'platform': {'center_of_mass': {'y': 0.3}}", ""),
       {"unknown key \"y\"", "frame ros", "write \"z\", with the other sign"}},
      /* up, where the other two are there */
      {V("'platform': {'center_of_mass': {'x': 0, 'y': 0.3, 'z': 0}}", ""),
       {"unknown key \"y\"", "up is \"height\""}},
      {ROS_V(
           "'layout': {'type': 'explicit'}, 'wheels': [{'x': 1, 'z': 1, 'axis_angle': 0}, {}, {}]",
           ""),
       {"unknown key \"z\"", "write \"y\", with the other sign"}},
      {ROS_V("'layout': {'type': 'explicit'}, 'wheels': [{'x': 1, 'axis_angle': 0}, {}, {}]", ""),
       {"\"y\" is missing", "each wheel gives \"x\" and \"y\""}},
      {ROS_V("", VARY("{'path': 'initial.z', 'values': [1, 2]}")),
       {"unknown parameter \"initial.z\"", "write \"initial.y\", with the other sign"}},
      {ROS_V("", VARY("{'path': 'wheels[0].error.z', 'values': [1, 2]}")),
       {"write \"wheels[0].error.y\", with the other sign"}},
      {V("", VARY("{'path': 'wheel.error.y', 'values': [1, 2]}")),
       {"frame ros", "write \"wheel.error.z\", with the other sign"}},
      {ROS_V("", ",\n'output': {'observables': ['final_z']}"),
       {"unknown word \"final_z\"", "write \"final_y\", with the other sign"}},
      {ROS_V("", ",\n'statistics': {'fail': 'final_z > 0.1'}"),
       {"\"final_z\" is a name of another frame", "write \"final_y\", with the other sign"}},
      {V("", ",\n'statistics': {'fail': 'final_vy > 0.1'}"),
       {"\"final_vy\" is a name of another frame", "write \"final_vz\", with the other sign"}},
      {ROS_V("'command': {'type': 'table'}", ""), {"(time, vx, vy, yaw_rate)"}},
      {ROS_V("'ground': {'type': 'patches'}", ""), {"\"patch0\": {\"x\": 1, \"y\": 0"}},
      {ROS_V("'initial': {'velocity': 1}", ""), {"\"vy\" to the left"}}, );
}

Test(frames, an_unknown_frame_lists_them_and_nothing_else_is_judged_by_it) {
  EXPECT_REFUSED({"{'frame': 'enu', 'model': 'omni_vehicle',\n" INTEGRATOR
                  "'parameters': {'initial': {'y': 1}}}",
                  {"s.json:1: frame:", "unknown word \"enu\"", "\"y_up\", \"ros\""}},
                 {"{'frame': 3, 'model': 'omni_vehicle',\n" INTEGRATOR
                  "'parameters': {'initial': {'y': 1}}}",
                  {"s.json:1: frame:"}});
  omr_study *study;
  omr_error error = {0};
  char *text = double_quoted("{'frame': 'enu', 'model': 'omni_vehicle',\n" INTEGRATOR
                             "'parameters': {'initial': {'y': 1}}}");
  cr_expect_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_ERR_STUDY);
  cr_expect_eq(omr_error_count(&error), 1, "%s", error.message);
  free(text);
}

Test(frames, set_can_give_the_frame) {
  static const char *const override[] = {"frame=ros"};
  omr_study *study;
  omr_error error = {0};
  char *text = double_quoted(V("'initial': {'y': 1}", ""));
  cr_assert_eq(omr_study_parse(text, "s.json", override, 1, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect_eq(study->frame, OMR_FRAME_ROS);
  cr_expect_eq(study->base.vehicle[OMR_VP_INITIAL_Z], -1);
  omr_study_destroy(study);
  free(text);
}

Test(frames, describe_tells_a_model_in_the_words_of_a_frame) {
  char *json;
  omr_error error = {0};
  cr_assert_eq(omr_describe_json_in("omni_vehicle", "ros", &json, &error), OMR_OK, "%s",
               error.message);
  cr_expect_not_null(strstr(json, "\"command.vy\""));
  cr_expect_not_null(strstr(json, "\"final_y\""));
  cr_expect_not_null(strstr(json, "[time, vx, vy, yaw_rate]"));
  omr_text_destroy(json);
  cr_expect_eq(omr_describe_json_in("omni_vehicle", "enu", &json, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "\"y_up\", \"ros\""), "%s", error.message);
  cr_expect_null(json);
  cr_expect_eq(omr_describe_in("omni_vehicle", "ENU", stdout, &error), OMR_ERR_USAGE);
}
