// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/device.h"

#include <cstdlib>
#include <utility>

#include "device_choice.h"
#include "throng/base/try.h"
#include "throng/gpu/device_needs.h"
#include "throng/gpu/pipeline_cache.h"
#include "throng/gpu/pipeline_store.h"
#include "validation.h"

namespace throng {
using namespace detail::device;

const char* to_string(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::discrete:
      return "discrete GPU";
    case DeviceKind::integrated:
      return "integrated GPU";
    case DeviceKind::virtual_gpu:
      return "virtual GPU";
    case DeviceKind::software:
      return "software";
    case DeviceKind::other:
      break;
  }
  return "other";
}

namespace {

// An instance of our own, and what was needed to make it.
struct Instance {
  PFN_vkGetInstanceProcAddr get = nullptr;
  VkInstance handle = VK_NULL_HANDLE;
  std::unique_ptr<InstanceFunctions> functions;

  Instance() = default;
  Instance(Instance&& other) noexcept
      : get(other.get), handle(std::exchange(other.handle, nullptr)), functions(std::move(other.functions)) {}
  Instance& operator=(Instance&&) = delete;
  ~Instance() {
    if (handle != VK_NULL_HANDLE) functions->destroy_instance(handle, nullptr);
  }
};

constexpr VkApplicationInfo kApplication{
    VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "throng", 0, "throng", 0, VK_API_VERSION_1_3};

Result<Instance> create_instance(PFN_vkGetInstanceProcAddr get, const ValidationLog* log,
                                 std::vector<const char*> extensions) {
  THRONG_TRY(const PFN_vkGetInstanceProcAddr loader,
             get != nullptr ? Result<PFN_vkGetInstanceProcAddr>(get) : system_loader());
  const LoaderFunctions functions(loader);
  std::uint32_t version = VK_API_VERSION_1_0;
  if (functions.enumerate_version != nullptr) functions.enumerate_version(&version);
  if (version < VK_API_VERSION_1_3)
    return fail("Vulkan: the loader is older than 1.3 (it has {}.{}); update libvulkan1", VK_API_VERSION_MAJOR(version),
                VK_API_VERSION_MINOR(version));

  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &kApplication;
  ValidationRequest request;
  if (log != nullptr) {
    THRONG_CHECK(request.prepare(functions, *log));
    request.add_to(info, extensions);
  }
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  Instance instance;
  instance.get = loader;
  const VkResult result = functions.create_instance(&info, nullptr, &instance.handle);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return fail("Vulkan: no driver on this machine; install one for its GPU, or mesa-vulkan-drivers for software");
  THRONG_CHECK(check(result, "create an instance"));
  instance.functions = std::make_unique<InstanceFunctions>(loader, instance.handle);
  return instance;
}

Result<std::vector<VkPhysicalDevice>> enumerate(const Instance& instance) {
  std::uint32_t count = 0;
  THRONG_CHECK(check(instance.functions->enumerate_devices(instance.handle, &count, nullptr), "list devices"));
  std::vector<VkPhysicalDevice> devices(count);
  THRONG_CHECK(check(instance.functions->enumerate_devices(instance.handle, &count, devices.data()), "list devices"));
  devices.resize(count);
  return devices;
}

DeviceKind kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return DeviceKind::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return DeviceKind::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return DeviceKind::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceKind::software;
    default:
      return DeviceKind::other;
  }
}

DeviceInfo describe(const InstanceFunctions& functions, VkPhysicalDevice device, VkSurfaceKHR surface,
                    std::uint32_t index) {
  VkPhysicalDeviceDriverProperties driver{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceProperties2 plain = properties;
  functions.properties(device, &plain);
  const std::uint32_t version = plain.properties.apiVersion;
  if (version >= VK_API_VERSION_1_2) {
    properties.pNext = &driver;
    functions.properties(device, &properties);
  }
  DeviceInfo info;
  info.index = index;
  info.name = plain.properties.deviceName;
  info.kind = kind_of(plain.properties.deviceType);
  info.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
  info.api_version = version;
  info.unusable = what_is_missing(functions, device, surface);
  return info;
}

struct Listing {
  std::vector<VkPhysicalDevice> handles;
  std::vector<DeviceInfo> infos;
};

Result<Listing> list(const Instance& instance, VkSurfaceKHR surface) {
  THRONG_TRY(auto handles, enumerate(instance));
  Listing listing;
  listing.handles = std::move(handles);
  for (std::uint32_t i = 0; i < listing.handles.size(); ++i)
    listing.infos.push_back(describe(*instance.functions, listing.handles[i], surface, i));
  return listing;
}

Result<VkDevice> create_device(const InstanceFunctions& functions, VkPhysicalDevice device, VkSurfaceKHR surface,
                               VulkanContext& context) {
  VkPhysicalDeviceFeatures2 supported{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  functions.features(device, &supported);
  FeatureChain features;
  request_needed(features);
  features.all.features.samplerAnisotropy = supported.features.samplerAnisotropy;
  context.sampler_anisotropy = supported.features.samplerAnisotropy == VK_TRUE;
  context.queue_family = *find_queue_family(functions, device, surface);

  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = context.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features.all};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  const char* swapchains = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  info.enabledExtensionCount = surface == VK_NULL_HANDLE ? 0u : 1u;
  info.ppEnabledExtensionNames = &swapchains;
  VkDevice handle = VK_NULL_HANDLE;
  THRONG_CHECK(check(functions.create_device(device, &info, nullptr, &handle), "create a device"));
  return handle;
}

}  // namespace

struct Device::State {
  explicit State(Instance owned) : instance(std::move(owned)) {}
  ~State() {
    if (context.device != VK_NULL_HANDLE) {
      table.vkDeviceWaitIdle(context.device);
      pipelines.reset();
      table.vkDestroyDevice(context.device, nullptr);
    }
    if (surface != VK_NULL_HANDLE) instance.functions->destroy_surface(instance.handle, surface, nullptr);
    if (messenger != VK_NULL_HANDLE) instance.functions->destroy_messenger(instance.handle, messenger, nullptr);
  }

  std::unique_ptr<ValidationLog> log;  // the instance reports into it to its end, so it goes last
  Instance instance;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VulkanContext context;
  VolkDeviceTable table{};
  std::unique_ptr<PipelineStore> pipelines;
  DeviceInfo info;
};

Device::Device(std::unique_ptr<State> state) : state_(std::move(state)) {}
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;
const VulkanContext& Device::context() const { return state_->context; }
const DeviceInfo& Device::info() const { return state_->info; }
VkSurfaceKHR Device::surface() const { return state_->surface; }

std::vector<std::string> Device::validation_messages() const {
  return state_->log ? state_->log->messages() : std::vector<std::string>{};
}

std::filesystem::path default_cache_folder() {
  return cache_folder(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME"));  // NOLINT(concurrency-mt-unsafe): read only
}

Result<std::vector<DeviceInfo>> list_devices() {
  THRONG_TRY(const Instance instance, create_instance(nullptr, nullptr, {}));
  THRONG_TRY(auto listing, list(instance, VK_NULL_HANDLE));
  return std::move(listing.infos);
}

Result<Device> Device::create(const DeviceSettings& settings) {
  auto log = settings.validation ? std::make_unique<ValidationLog>(settings.on_validation_message) : nullptr;
  THRONG_TRY(Instance instance,
             create_instance(settings.get_instance_proc_addr, log.get(),
                             settings.window ? settings.window->extensions : std::vector<const char*>{}));
  auto state = std::make_unique<State>(std::move(instance));
  state->log = std::move(log);
  const InstanceFunctions& functions = *state->instance.functions;
  if (state->log) {
    THRONG_TRY(auto messenger, create_messenger(functions, state->instance.handle, *state->log));
    state->messenger = messenger;
  }
  if (settings.window) {
    THRONG_TRY(state->surface, settings.window->create(state->instance.handle));
  }

  THRONG_TRY(const auto listing, list(state->instance, state->surface));
  THRONG_TRY(auto chosen, choose_device(listing.infos, settings.choice));
  state->info = listing.infos[chosen];
  VulkanContext& context = state->context;
  context.get_instance_proc_addr = state->instance.get;
  context.instance = state->instance.handle;
  context.physical_device = listing.handles[chosen];
  if (!settings.cache_folder.empty())
    context.pipeline_cache = settings.cache_folder / pipeline_file_name(state->info.name);
  auto device = create_device(functions, context.physical_device, state->surface, context);
  if (!device) return fail(with_context(state->info.name, std::move(device).error()));
  context.device = *device;
  state->table = load_device_functions(state->instance.get, context.instance, context.device);
  state->pipelines = std::make_unique<PipelineStore>(state->table, context.device);
  context.pipelines = state->pipelines.get();
  state->table.vkGetDeviceQueue(context.device, context.queue_family, 0, &context.queue);
  return Device(std::move(state));
}

}  // namespace throng
